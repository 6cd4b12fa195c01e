/**
 * An S3-compatible service (s3rver) with a bucket in a folder of the test. It verifies no signatures of version 4, so somebody stands before
 * it who does.
 */
import { createServer, type RequestListener, type Server } from 'node:http'
// @ts-expect-error It has no types.
import S3rver from 's3rver'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { lastingPort, listenOn } from './port.js'
import { verifyingServer } from './s3-signatures.js'
import { within } from './waits.js'

export interface S3Server {
  /** For a gateway. */
  readonly env: Readonly<Record<string, string>>
  readonly endpoint: string
  /** Where its files are. */
  readonly folder: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** What we use of an instance of s3rver. Its own `run` never ends when its port is in use. */
interface Service {
  configureBuckets(): Promise<unknown>
  callback(): RequestListener
  readonly logger: { close(): void }
}

const BUCKET = 'files'
/** The only pair that s3rver knows. */
const PAIR = { accessKey: 'S3RVER', secretKey: 'S3RVER', region: 'us-east-1' }

/** `secretKey`: another one than that of s3rver, which does not ask for it. */
export async function startS3(t: Cleanup, secretKey = PAIR.secretKey): Promise<S3Server> {
  const Service = S3rver as new (options: object) => Service
  const [folder, port] = [testFolder(t), await lastingPort()]
  let running: { readonly servers: readonly Server[]; readonly service: Service } | undefined
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
      const service = new Service({
        silent: true,
        directory: folder,
        allowMismatchedSignatures: false,
        configureBuckets: [{ name: BUCKET }],
      })
      await service.configureBuckets()
      const inner = createServer(service.callback())
      const front = verifyingServer({ ...PAIR, secretKey }, await listenOn(inner, 0))
      await listenOn(front, port)
      running = { servers: [front, inner], service }
    },
    async stop() {
      const stopping = running
      running = undefined
      if (stopping === undefined) return
      await Promise.all(stopping.servers.map(close))
      stopping.service.logger.close()
    },
  }
  await within('The start of the S3 service', server.start())
  t.after(() => server.stop())
  return server
}

function close(server: Server): Promise<void> {
  return new Promise((closed) => {
    server.close(() => closed())
    server.closeAllConnections()
  })
}
