import path from 'node:path'
import { absolute, type SettingReader } from './reader.js'

export interface MediaConfig {
  readonly storage: 'disk' | 'shared' | 's3' | 'none'
  /** Of the storage `shared`. Absolute path. */
  readonly folder: string | undefined
  readonly s3: {
    readonly bucket: string | undefined
    readonly endpoint: string | undefined
    readonly region: string
    readonly accessKey: string | undefined
    readonly secretKey: string | undefined
    readonly prefix: string
    readonly pathStyle: boolean
  }
  readonly maxBytes: number
  readonly retentionHours: number
  readonly campaignMaxBytes: number
  readonly fetchTimeoutMs: number
  readonly convertTimeoutMs: number
  /** Absolute path. */
  readonly ffmpegPath: string | undefined
}

export function readMedia(read: SettingReader): MediaConfig {
  const asked = read.optionalText('MEDIA_STORAGE')
  const bucket = read.optionalText('MEDIA_S3_BUCKET')
  return {
    storage: (asked as MediaConfig['storage'] | undefined) ?? (bucket === undefined ? 'disk' : 's3'),
    folder: absolute(read.optionalText('MEDIA_FOLDER')),
    s3: {
      bucket,
      endpoint: read.optionalText('MEDIA_S3_ENDPOINT'),
      region: read.text('MEDIA_S3_REGION'),
      accessKey: read.optionalText('MEDIA_S3_ACCESS_KEY'),
      secretKey: read.optionalText('MEDIA_S3_SECRET_KEY'),
      prefix: read.text('MEDIA_S3_PREFIX'),
      pathStyle: read.flag('MEDIA_S3_PATH_STYLE'),
    },
    maxBytes: read.number('MEDIA_MAX_BYTES'),
    retentionHours: read.number('MEDIA_RETENTION_HOURS'),
    campaignMaxBytes: read.number('MEDIA_CAMPAIGN_MAX_BYTES'),
    fetchTimeoutMs: read.number('MEDIA_FETCH_TIMEOUT_MS'),
    convertTimeoutMs: read.number('MEDIA_CONVERT_TIMEOUT_MS'),
    ffmpegPath: absolute(read.optionalText('FFMPEG_PATH')),
  }
}

/** Returns the folder in which files are stored; undefined when they are not on a disk. */
export function filesFolder({ storage, folder }: MediaConfig, dataDir: string): string | undefined {
  if (storage === 'shared') return folder
  return storage === 'disk' ? path.join(dataDir, 'media') : undefined
}

export function storageMistakes({ storage, folder, s3 }: MediaConfig): string[] {
  const { bucket, accessKey, secretKey, endpoint } = s3
  const mistakes: string[] = []
  if (storage === 'shared' && folder === undefined)
    mistakes.push('MEDIA_FOLDER: must be set, since files are stored in a folder that all nodes share.')
  if (storage !== 'shared' && folder !== undefined)
    mistakes.push('MEDIA_FOLDER: is of no use without MEDIA_STORAGE=shared.')
  if (storage === 's3')
    for (const [name, value] of Object.entries({
      MEDIA_S3_BUCKET: bucket,
      MEDIA_S3_ACCESS_KEY: accessKey,
      MEDIA_S3_SECRET_KEY: secretKey,
    }))
      if (value === undefined) mistakes.push(`${name}: must be set, since files are stored in an S3 service.`)
  if (storage !== 's3' && bucket !== undefined)
    mistakes.push(`MEDIA_S3_BUCKET: is set, though MEDIA_STORAGE is ${storage}; unset one of them.`)
  if (endpoint !== undefined && !URL.canParse(endpoint)) mistakes.push('MEDIA_S3_ENDPOINT: is not a valid URL.')
  return mistakes
}
