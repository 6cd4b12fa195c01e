/** Where the unix sockets of the embedded servers live: in the data folder, or, when that path is too long, in a short private one. */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'

/** A socket's path may have 107 bytes on Linux and 103 on macOS; PostgreSQL adds `.lock` to a file beside it. */
const pathBytesMax = 100
const longestName = path.join('postgresql', '.s.PGSQL.5432')
const pointerName = 'socket-folder'

/**
 * A folder of mode 700 (711 is kept) for sockets of `dataFolder`. The same one is found again after a restart, also under
 * another TMPDIR, so that running servers can be adopted.
 * @throws OperatorError when the short folder belongs to somebody else
 */
export function socketFolder(dataFolder: string): string {
  const inside = path.join(dataFolder, 'run')
  if (fits(inside)) return makePrivate(inside)
  const known = readPointer(dataFolder)
  if (known !== undefined && fits(known) && lstatSync(known, { throwIfNoEntry: false })) return makePrivate(known)
  const hash = createHash('sha256').update(realpathSync(dataFolder)).digest('hex').slice(0, 12)
  const name = `posthorn-${process.getuid?.() ?? 0}-${hash}`
  const short = [os.tmpdir(), '/tmp'].map((parent) => path.join(parent, name)).find(fits)
  if (short === undefined) throw new OperatorError('TMPDIR is too long for unix sockets; set it to a short path.')
  writeFileSync(path.join(dataFolder, pointerName), short, { mode: 0o600 })
  return makePrivate(short)
}

/** Returns the folder that `socketFolder` made before; undefined if there is none. Changes nothing. */
export function findSocketFolder(dataFolder: string): string | undefined {
  const inside = path.join(dataFolder, 'run')
  const folder = fits(inside) ? inside : readPointer(dataFolder)
  try {
    return folder !== undefined && lstatSync(folder).isDirectory() ? folder : undefined
  } catch {
    return undefined
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, longestName)) <= pathBytesMax
}

function readPointer(dataFolder: string): string | undefined {
  try {
    return readFileSync(path.join(dataFolder, pointerName), 'utf8')
  } catch {
    return undefined
  }
}

function makePrivate(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid())) {
    throw new OperatorError(
      `${folder}, where our sockets belong, is somebody else's; remove it, or set TMPDIR to a folder of yours.`,
    )
  }
  if ((found.mode & 0o777) !== 0o711) chmodSync(folder, 0o700)
  return folder
}
