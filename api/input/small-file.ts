import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../schemas/errors.js'
import type { ArrivedFile } from './base64-file.js'

/** A file that was short enough to stay in the body, as the larger ones are. @throws GatewayError MEDIA_STORAGE_UNAVAILABLE */
export async function smallFile(
  { data, mimetype = '' }: { readonly data: string; readonly mimetype?: string },
  folder: string,
): Promise<ArrivedFile & { remove(): Promise<void> }> {
  const bytes = Buffer.from(data, 'base64')
  const file = path.join(folder, `body-${randomBytes(12).toString('hex')}`)
  try {
    await writeFile(file, bytes, { mode: 0o600 })
  } catch (error) {
    await rm(file, { force: true })
    throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
  }
  return {
    path: file,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    mimetype,
    remove: () => rm(file, { force: true }),
  }
}
