/** The file that says what a backup is. It is written last: a folder without it is not a whole backup. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorText } from '../../lib/error-text.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { type Copied, measureFolder } from './copy-files.js'

// Ours: what a backup of ours says of itself.

export interface Manifest {
  readonly posthorn: 'backup'
  readonly format: number
  /** `embedded`: a copy of PostgreSQL's folder; `external`: a dump. */
  readonly kind: 'embedded' | 'external'
  /** Everything that was committed before is in the backup. ISO 8601. */
  readonly madeAt: string
  /** The version of the program that made it. */
  readonly version: string
  /** Major version of PostgreSQL. */
  readonly postgres: number
  /** Of a dump: PostgreSQL's schema, the newest migration, and the oldest program that can use it. */
  readonly dump?: {
    readonly schemaName: string
    readonly migration: number
    readonly oldest: number
    readonly hasTrigrams: boolean
  }
  /** Names the encryption key; null when the key was not at hand. */
  readonly keyId: string | null
  readonly hasKeys: boolean
  /** Everything else in the folder, so that a copy that was cut off is noticed. */
  readonly content: Copied
}

const FORMAT = 1
const NAME = 'posthorn-backup.json'

export const DUMP_NAME = 'posthorn.dump'
export const POSTGRES_NAME = 'postgresql'
export const MEDIA_NAME = 'media'
export const KEYS_NAME = 'secrets.json'

export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'posthorn' | 'format' | 'content'>,
): Promise<Manifest> {
  const manifest: Manifest = { posthorn: 'backup', format: FORMAT, ...facts, content: await measureFolder(folder) }
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  await writeFile(path.join(folder, NAME), text, { mode: 0o600, flush: true })
  return manifest
}

/** @throws OperatorError when the folder holds no whole backup, or one of a newer program */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = parse(folder)
  if (manifest.posthorn !== 'backup' || typeof manifest.format !== 'number')
    throw new OperatorError(`${path.join(folder, NAME)} is not the description of a backup.`)
  if (manifest.format > FORMAT)
    throw new OperatorError(
      `The backup ${folder} was made by version ${manifest.version}, which is newer than this one; restore it with that version.`,
    )
  const { files, bytes } = await measureFolder(folder)
  const ownBytes = readFileSync(path.join(folder, NAME)).length
  const found = { files: files - 1, bytes: bytes - ownBytes }
  const { content } = manifest
  if (found.files !== content.files || found.bytes !== content.bytes)
    throw new OperatorError(
      `The backup ${folder} is not whole: it should have ${content.files} files with ${content.bytes} bytes, and has ${found.files} with ${found.bytes}. Copy it again from where it was made.`,
    )
  return manifest
}

/** Returns when a finished backup was made; null if the folder does not say so. Does not look whether it is whole. */
export function readMadeAt(folder: string): Date | null {
  try {
    const { posthorn, madeAt } = parse(folder)
    const time = new Date(madeAt)
    return posthorn === 'backup' && !Number.isNaN(time.getTime()) ? time : null
  } catch {
    return null
  }
}

function parse(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(path.join(folder, NAME), 'utf8')) as Manifest
  } catch (error) {
    throw new OperatorError(
      `${folder} is not a backup that posthorn backup has finished: ${NAME} cannot be read (${errorText(error)}).`,
      { cause: error },
    )
  }
}
