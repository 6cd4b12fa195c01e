import { access, constants } from 'node:fs/promises'
import type { Config } from '../../config.js'
import { connectionFailure } from '../connection-failure.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

/** Asks the S3 service for the bucket. */
export function fileStorageCheck({ storage, folder, s3 }: Config['media'], timeoutMs: number): Check {
  return {
    name: 'Files',
    async run() {
      if (storage === 'none') return [skipped('MEDIA_STORAGE is none: no files are stored or sent.')]
      if (storage === 'disk') return [ok('In DATA_DIR.')]
      if (storage === 'shared') return [await sharedFolder(folder ?? '')]
      const { S3Client, HeadBucketCommand } = await import('@aws-sdk/client-s3')
      const client = new S3Client({
        region: s3.region,
        credentials: { accessKeyId: s3.accessKey ?? '', secretAccessKey: s3.secretKey ?? '' },
        forcePathStyle: s3.pathStyle,
        maxAttempts: 1,
        ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
        requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
      })
      try {
        await client.send(new HeadBucketCommand({ Bucket: s3.bucket ?? '' }))
        return [ok(`The bucket ${s3.bucket} is there.`)]
      } catch (error) {
        return [refusal(error, s3.bucket ?? '')]
      } finally {
        client.destroy()
      }
    },
  }
}

/** Checks that this user may write in the folder. The node itself compares it with the one of other nodes. */
async function sharedFolder(folder: string): Promise<Result> {
  try {
    await access(folder, constants.W_OK)
    return ok(`In ${folder}, which all nodes share.`)
  } catch (error) {
    return failed(
      `MEDIA_FOLDER is ${folder}, which cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      'Mount the volume that all nodes share there, and give it to this user with chown.',
    )
  }
}

function refusal(error: unknown, bucket: string): Result {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  switch ($metadata?.httpStatusCode) {
    case 404:
      return failed(`There is no bucket ${bucket}.`, 'Make it, or correct MEDIA_S3_BUCKET.')
    case 301:
      return failed(`The bucket ${bucket} is in another region.`, 'Correct MEDIA_S3_REGION.')
    case 403:
      return warning(
        `The service refuses to show the bucket ${bucket}.`,
        'Correct MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY. If the key may read and write objects only, this is as it should be.',
      )
    default:
      return connectionFailure(error, 'The S3 service', 'MEDIA_S3_ENDPOINT')
  }
}
