import { access, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../schemas/errors.js'
import { assertName, type Storage } from './storage.js'

/** In the folder as long as it is there: a disk that was taken away leaves an empty one, and has not lost its files. */
const MARK = '.files-of-posthorn'

/** Files in a folder of this node or of all, on the same disk as its temporary ones, so that taking one is a rename. */
export async function createDiskStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(path.join(folder, MARK), '')
  const isThere = (): Promise<void> => access(path.join(folder, MARK))
  const toPath = (name: string): string => path.join(folder, assertName(name))
  return {
    async put(name, file, { durable }) {
      const target = toPath(name)
      try {
        await isThere()
        const parent = path.dirname(target)
        await mkdir(parent, { recursive: true, mode: 0o700 })
        if (durable) await synced(file)
        await rename(file, target)
        if (durable) await synced(parent)
      } catch (error) {
        throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
      }
    },
    async read(name) {
      try {
        const handle = await open(toPath(name))
        return handle.createReadStream({ highWaterMark: 256 * 1024 })
      } catch (error) {
        const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        const isGone =
          isMissing &&
          (await isThere().then(
            () => true,
            () => false,
          ))
        throw new GatewayError(isGone ? 'MEDIA_FILE_GONE' : 'MEDIA_STORAGE_UNAVAILABLE', { cause: error })
      }
    },
    async delete(names) {
      try {
        for (const name of names) await rm(toPath(name), { force: true })
      } catch (error) {
        throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
      }
    },
    close() {},
  }
}

async function synced(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
