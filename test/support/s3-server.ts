/**
 * An S3-compatible service (s3rver) with a bucket in a folder of the test. It verifies no signatures of version 4, so somebody stands before
 * it who does.
 */
import type { Server as HttpServer } from 'node:http'
// @ts-expect-error It has no types.
import Server from 's3rver'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { lastingPort } from './port.js'
import { verifyingServer } from './s3-signatures.js'

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
/** The only pair that s3rver knows. */
const PAIR = { accessKey: 'S3RVER', secretKey: 'S3RVER', region: 'us-east-1' }

/** `secretKey`: another one than that of s3rver, which does not ask for it. */
export async function startS3(t: Cleanup, secretKey = PAIR.secretKey): Promise<S3Server> {
  const S3rver = Server as new (options: object) => Running
  const [folder, port, innerPort] = [testFolder(t), await lastingPort(), await lastingPort()]
  let running: Running | undefined
  let front: HttpServer | undefined
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    folder,
    env: {
      MEDIA_S3_BUCKET: BUCKET,
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      MEDIA_S3_ACCESS_KEY: PAIR.accessKey,
      MEDIA_S3_SECRET_KEY: secretKey,
      MEDIA_S3_PREFIX: 'posthorn/',
    },
    async start() {
      running = new S3rver({
        address: '127.0.0.1',
        port: innerPort,
        silent: true,
        directory: folder,
        allowMismatchedSignatures: false,
        configureBuckets: [{ name: BUCKET }],
      })
      await running.run()
      const verifying = verifyingServer({ ...PAIR, secretKey }, innerPort)
      front = verifying
      await new Promise<void>((done) => verifying.listen(port, '127.0.0.1', done))
    },
    async stop() {
      const stopping = running
      running = undefined
      if (stopping === undefined) return
      front?.close()
      front?.closeAllConnections()
      const closed = stopping.close()
      stopping.httpServer?.closeAllConnections()
      await closed
    },
  }
  await server.start()
  t.after(() => server.stop())
  return server
}
