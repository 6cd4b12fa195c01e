/** A disk of a few megabytes that a test can fill: a tmpfs that only the gateway and its servers see. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

export interface SmallDisk {
  /** Stands before the command of the gateway, which becomes the process that this starts. */
  readonly launcher: readonly string[]
  /** Takes all space that is left, as `pid` sees it. */
  fill(pid: number): void
  free(pid: number): void
}

/** A sentence why there can be none here, or the disk, to be mounted on `folder`. */
export function smallDisk(folder: string, sizeMebibytes: number): SmallDisk | string {
  const namespace = ['unshare', process.getuid?.() === 0 ? '-m' : '-Urm']
  const mount = `mount -t tmpfs -o size=${sizeMebibytes}m,mode=755 tmpfs "$0"`
  try {
    const [program = '', ...flags] = namespace
    execFileSync(program, [...flags, 'sh', '-c', mount, folder], { stdio: 'pipe' })
  } catch {
    return 'a tmpfs of its own needs mount namespaces, which are not allowed here'
  }
  const filler = (pid: number) => path.join(`/proc/${pid}/root`, folder, 'filler')
  return {
    launcher: [...namespace, 'sh', '-c', `${mount} && exec "$@"`, folder],
    fill(pid) {
      const file = openSync(filler(pid), 'a')
      for (const size of [2 ** 20, 2 ** 12, 1]) {
        const zeros = Buffer.alloc(size)
        try {
          while (writeSync(file, zeros) > 0);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
      closeSync(file)
    },
    free: (pid) => rmSync(filler(pid)),
  }
}
