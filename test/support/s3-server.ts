/** An S3-compatible service (s3rver) with a bucket in a folder of the test. It knows its key, but does not verify signatures of version 4. */
// @ts-expect-error It has no types.
import Server from 's3rver'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { lastingPort } from './port.js'

export interface S3Server {
  /** For a gateway. */
  readonly env: Readonly<Record<string, string>>
  readonly endpoint: string
  /** Where its files are. */
  readonly folder: string
  stop(): Promise<void>
  start(): Promise<void>
}

interface Running {
  run(): Promise<unknown>
  close(): Promise<void>
  httpServer: { closeAllConnections(): void } | undefined
}

const BUCKET = 'files'

export async function startS3(t: Cleanup): Promise<S3Server> {
  const S3rver = Server as new (options: object) => Running
  const [folder, port] = [testFolder(t), await lastingPort()]
  let running: Running | undefined
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    folder,
    env: {
      MEDIA_S3_BUCKET: BUCKET,
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      // The only pair that it knows.
      MEDIA_S3_ACCESS_KEY: 'S3RVER',
      MEDIA_S3_SECRET_KEY: 'S3RVER',
      MEDIA_S3_PREFIX: 'posthorn/',
    },
    async start() {
      running = new S3rver({
        address: '127.0.0.1',
        port,
        silent: true,
        directory: folder,
        allowMismatchedSignatures: false,
        configureBuckets: [{ name: BUCKET }],
      })
      await running.run()
    },
    async stop() {
      const stopping = running
      running = undefined
      if (stopping === undefined) return
      const closed = stopping.close()
      stopping.httpServer?.closeAllConnections()
      await closed
    },
  }
  await server.start()
  t.after(() => server.stop())
  return server
}
