/** The data folder is ours when it holds our marker; a folder that holds anything else is left alone. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'

// Ours: files and answers of our own programs.

const markerName = 'posthorn.json'
const format = 1

/** Names of files that an empty folder may hold: of file systems, of git, and of a start of ours that was cut short. */
const ignorable = /^(lost\+found|\.gitkeep|\.gitignore|\.DS_Store|posthorn\.json\..*|gateway\.lock(\..*)?)$/

/**
 * Make `folder`, or check that it is a data folder of ours; afterwards only its owner can enter it.
 * @throws OperatorError when it is foreign, damaged, of a newer format, or not writable
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    checkMarker(folder)
    // 0o711 is kept: PostgreSQL runs as another user in it (postgres-user.ts).
    if ((statSync(folder).mode & 0o777) !== 0o711) chmodSync(folder, 0o700)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(unusable(folder, error as NodeJS.ErrnoException), { cause: error })
  }
}

function checkMarker(folder: string): void {
  const marker = path.join(folder, markerName)
  const text = readOrUndefined(marker)
  if (text !== undefined) {
    checkFormat(folder, text)
    return
  }
  const strangers = readdirSync(folder).filter((name) => !ignorable.test(name))
  if (strangers.length > 0) {
    throw new OperatorError(
      `The data folder ${folder} holds ${strangers.slice(0, 3).join(', ')} but not ${markerName}, so it is not ours and was left as it is; set DATA_DIR to an empty or new folder, or restore the folder from a backup.`,
    )
  }
  const draft = `${marker}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ posthorn: 'data folder', format })}\n`, { mode: 0o600, flush: true })
  renameSync(draft, marker)
}

function checkFormat(folder: string, text: string): void {
  const found = readFormat(text)
  if (found === undefined) {
    throw new OperatorError(
      `The data folder ${folder} is damaged: ${markerName} cannot be understood. Restore the folder from a backup, or set DATA_DIR to a new one.`,
    )
  }
  if (found > format) {
    throw new OperatorError(
      `The data folder ${folder} was written by a newer version (format ${found}, this one knows ${format}); start that version, or set DATA_DIR to another folder.`,
    )
  }
}

function readFormat(text: string): number | undefined {
  try {
    const marker = JSON.parse(text) as { posthorn?: unknown; format?: unknown } | null
    if (marker?.posthorn !== 'data folder') return undefined
    return typeof marker.format === 'number' ? marker.format : undefined
  } catch {
    return undefined
  }
}

function unusable(folder: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${folder} is not writable for this user (uid ${process.getuid?.()}); give it to this user with chown, or set DATA_DIR to another folder.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `DATA_DIR is ${folder}, which is not a folder; set it to a folder.`
    case 'EROFS':
      return `The data folder ${folder} is on a read-only file system; set DATA_DIR to a writable folder.`
    case 'ENOSPC':
      return `There is no space left for the data folder ${folder}; free some, or set DATA_DIR to a folder on another disk.`
    default:
      return `The data folder ${folder} cannot be used: ${error.message}; set DATA_DIR to another folder.`
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
