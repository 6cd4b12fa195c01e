/** A folder in memory for the data of the PostgreSQL that test files share. A new database is 600 files, and a disk takes ten times as long for them. */
import { mkdtempSync, statfsSync } from 'node:fs'
import os from 'node:os'

const SHARED_MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** PostgreSQL needs less than 2 GiB. */
const ROOM_MIN_BYTES = 4 * GIB
const MEMORY_FREE_MIN_BYTES = 8 * GIB

/** Makes a folder in memory. Undefined where there is none, or where it or the machine has little room. */
export function makeMemoryFolder(place = SHARED_MEMORY): string | undefined {
  if (os.freemem() < MEMORY_FREE_MIN_BYTES) return undefined
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize < ROOM_MIN_BYTES ? undefined : mkdtempSync(`${place}/posthorn-test-`)
  } catch {
    return undefined
  }
}
