import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { GatewayError } from '../../schemas/errors.js'
import { assertName, type Storage } from './storage.js'

export interface S3Settings {
  /** Unset: Amazon's own. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  /** Before every name, such as `posthorn/`; may be empty. */
  readonly prefix: string
  /** The bucket is a part of the path and not of the host. */
  readonly pathStyle: boolean
}

const CONNECT_TIMEOUT_MS = 5_000
/** Without a byte for so long. */
const SILENCE_MAX_MS = 30_000
const ATTEMPTS = 2
const DELETED_AT_ONCE = 8

/** Files in a bucket of any service that speaks S3. The library is loaded only where it is asked for: it takes some 20 MB. */
export async function createS3Storage(settings: S3Settings): Promise<Storage> {
  const library = await import('@aws-sdk/client-s3')
  const { bucket: Bucket, prefix } = settings
  const client: S3Client = new library.S3Client({
    region: settings.region,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
    forcePathStyle: settings.pathStyle,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    // The caller logs failures.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    // Checksums in trailers are Amazon's own; other services refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MAX_MS },
  })
  const formatKey = (name: string): { Bucket: string; Key: string } => ({ Bucket, Key: `${prefix}${assertName(name)}` })

  return {
    async put(name, file) {
      const { size } = await stat(file)
      let failure: unknown
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          const body = createReadStream(file, { highWaterMark: 256 * 1024 })
          await client.send(new library.PutObjectCommand({ ...formatKey(name), Body: body, ContentLength: size }))
          await rm(file, { force: true })
          return
        } catch (error) {
          failure = error
        }
      }
      throw unavailable(failure)
    },
    async read(name) {
      try {
        const { Body } = await client.send(new library.GetObjectCommand(formatKey(name)))
        return Body as Readable
      } catch (error) {
        if (error instanceof library.NoSuchKey || findStatus(error) === 404)
          throw new GatewayError('MEDIA_FILE_GONE', { cause: error })
        throw unavailable(error)
      }
    },
    async delete(names) {
      try {
        // One by one: what deletes many at once needs checksums that not every service knows.
        for (let index = 0; index < names.length; index += DELETED_AT_ONCE) {
          const some = names.slice(index, index + DELETED_AT_ONCE)
          await Promise.all(some.map((name) => client.send(new library.DeleteObjectCommand(formatKey(name)))))
        }
      } catch (error) {
        throw unavailable(error)
      }
    },
    close: () => client.destroy(),
  }
}

function silent(): void {}

function unavailable(cause: unknown): GatewayError {
  return new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause })
}

function findStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
