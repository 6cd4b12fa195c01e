import { readFileSync } from 'node:fs'
import os from 'node:os'

// Ours: settings of the operator.

const CGROUP_FILES = {
  /** Version 2: the quota, or `max`, and the period. */
  both: '/sys/fs/cgroup/cpu.max',
  quota: '/sys/fs/cgroup/cpu/cpu.cfs_quota_us',
  period: '/sys/fs/cgroup/cpu/cpu.cfs_period_us',
} as const

type Read = (file: string) => string | undefined

/** Returns the number of processes that NODE_PROCESSES stands for: for `auto`, one for each core that this process may use. */
export function processCount(setting: number | 'auto', read: Read = readOrUndefined): number {
  if (setting !== 'auto') return setting
  return Math.max(1, Math.min(os.availableParallelism(), Math.floor(coresOfContainer(read))))
}

/** Returns the limit of the container in cores; infinity without one. Node.js 20 itself does not look at it. */
function coresOfContainer(read: Read): number {
  const [quota, period] = (
    read(CGROUP_FILES.both) ?? `${read(CGROUP_FILES.quota) ?? ''} ${read(CGROUP_FILES.period) ?? ''}`
  )
    .trim()
    .split(/\s+/)
    .map(Number)
  const isLimited = quota !== undefined && period !== undefined && quota > 0 && period > 0
  return isLimited ? quota / period : Number.POSITIVE_INFINITY
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
