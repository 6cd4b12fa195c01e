/** Copies folders whose files may change, grow, shrink or vanish meanwhile, with their owners and modes. */
import { chown, lchown, mkdir, open, readdir, readlink, stat, symlink } from 'node:fs/promises'
import path from 'node:path'

export interface Copied {
  readonly files: number
  readonly bytes: number
}

export interface CopyOptions {
  /** Returns false for an entry to leave out, by its path below the source folder. A folder is left out with all that is in it. */
  readonly includes?: (entry: string) => boolean
  /** Leaves out files that the target has already. */
  readonly onlyMissing?: boolean
}

const CHUNK_BYTES = 1024 * 1024

/** Copies what is in `source` into `target`, and makes that. A file that vanishes meanwhile is left out. */
export async function copyFolder(source: string, target: string, options: CopyOptions = {}): Promise<Copied> {
  const { includes = () => true, onlyMissing = false } = options
  let [files, bytes] = [0, 0]

  async function copyInto(below: string): Promise<void> {
    const from = path.join(source, below)
    const to = path.join(target, below)
    await makeLike(from, to)
    for (const entry of await readdir(from, { withFileTypes: true }).catch(ignoreVanished([]))) {
      const inside = path.join(below, entry.name)
      if (!includes(inside)) continue
      if (entry.isDirectory()) await copyInto(inside)
      else if (entry.isSymbolicLink()) await copyLink(path.join(source, inside), path.join(target, inside))
      else if (entry.isFile()) {
        const copied = await copyFile(path.join(source, inside), path.join(target, inside), onlyMissing)
        if (copied === undefined) continue
        files += 1
        bytes += copied
      }
    }
  }

  await copyInto('')
  return { files, bytes }
}

/** Returns how many files a folder has, and their bytes. */
export async function measureFolder(folder: string): Promise<Copied> {
  let [files, bytes] = [0, 0]
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name)
    const found = entry.isDirectory() ? await measureFolder(inside) : { files: 1, bytes: (await stat(inside)).size }
    files += found.files
    bytes += found.bytes
  }
  return { files, bytes }
}

/**
 * Copies the bytes that the file has now, at most; PostgreSQL's log has what is written meanwhile. `fs.copyFile` never ends if the file becomes
 * shorter. Returns the bytes; undefined when the file is gone, or there already.
 */
async function copyFile(from: string, to: string, onlyMissing: boolean): Promise<number | undefined> {
  const source = await open(from, 'r').catch(ignoreVanished(undefined))
  if (source === undefined) return undefined
  try {
    const { size, mode, uid, gid } = await source.stat()
    const target = await open(to, onlyMissing ? 'wx' : 'w', mode & 0o777).catch(ignoreCode('EEXIST', undefined))
    if (target === undefined) return undefined
    try {
      if (isRoot()) await target.chown(uid, gid)
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)))
      let copied = 0
      while (copied < size) {
        const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, size - copied), copied)
        if (bytesRead === 0) break
        await target.writeFile(buffer.subarray(0, bytesRead))
        copied += bytesRead
      }
      await target.sync()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copyLink(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(path.dirname(from))
  await symlink(await readlink(from), to)
  if (isRoot()) await lchown(to, uid, gid)
}

async function makeLike(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(ignoreVanished(undefined))
  if (found === undefined) return
  await mkdir(to, { recursive: true, mode: found.mode & 0o777 })
  if (isRoot()) await chown(to, found.uid, found.gid)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function ignoreVanished<T>(instead: T): (error: unknown) => T {
  return ignoreCode('ENOENT', instead)
}

function ignoreCode<T>(code: string, instead: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === code) return instead
    throw error
  }
}
