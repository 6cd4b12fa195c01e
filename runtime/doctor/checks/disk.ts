import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config.js'
import { codeOf } from '../connection-failure.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

const MIB = 2 ** 20
const FREE_FAILED_BYTES = 200 * MIB
const FREE_WARNING_BYTES = 1024 * MIB

/** Checks the data folder: whether this user may write there, and the free space. */
export function diskCheck({
  data,
  database,
  redis,
  media,
}: Pick<Config, 'data' | 'database' | 'redis' | 'media'>): Check {
  return {
    name: 'Disk',
    async run() {
      const hasOwnStores = database.url === undefined || isUnset(redis)
      if (!hasOwnStores && media.storage === 'none') return [skipped('Nothing is stored on this machine.')]
      const folder = await existingFolder(data.dir)
      if ('error' in folder) return [notWritable(data.dir, folder.error)]
      const { bavail, bsize, files, ffree } = await statfs(folder.path)
      return [spaceOf(data.dir, Number(bavail) * Number(bsize)), ...inodesOf(data.dir, Number(files), Number(ffree))]
    },
  }
}

function isUnset({ url, sentinelName, clusterNodes }: Config['redis']): boolean {
  return url === undefined && sentinelName === undefined && clusterNodes.length === 0
}

/** Returns the folder, or the nearest one above it if the folder is yet to be made. */
async function existingFolder(folder: string): Promise<{ path: string } | { error: unknown }> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return { path: folder }
  } catch (error) {
    const parent = path.dirname(folder)
    return codeOf(error) === 'ENOENT' && parent !== folder ? await existingFolder(parent) : { error }
  }
}

function notWritable(folder: string, error: unknown): Result {
  return failed(
    `${folder} is not writable (${codeOf(error)}).`,
    `Give it to the user of the gateway (uid ${process.getuid?.()}) with chown, or set DATA_DIR.`,
  )
}

function spaceOf(folder: string, freeBytes: number): Result {
  const text = `${(freeBytes / 1024 / MIB).toFixed(1)} GiB are free for ${folder}.`
  const remedy = 'Make room, or set DATA_DIR to a larger disk.'
  if (freeBytes < FREE_FAILED_BYTES) return failed(text, remedy)
  return freeBytes < FREE_WARNING_BYTES ? warning(text, remedy) : ok(text)
}

/** Some file systems count no inodes: they say 0 of 0. */
function inodesOf(folder: string, all: number, free: number): readonly Result[] {
  if (all === 0 || free > all / 100) return []
  return [warning(`Less than 1 % of the inodes are free for ${folder}.`, 'Remove small files, or set DATA_DIR.')]
}
