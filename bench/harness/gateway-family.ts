/** CPU time of a gateway and of what it has started, by part, and of the whole machine. */
import { readFileSync } from 'node:fs'
import { cpuMs } from './processes.js'
import { cpuOfFamily } from './stores.js'

/** In milliseconds since the start of each part. */
export interface FamilyCpu {
  /** All processes of the gateway, its supervisor included. */
  readonly gatewayMs: number
  /** Part of that: the main threads. */
  readonly mainThreadsMs: number
  readonly supervisorMs: number
  readonly postgresMs: number
  readonly redisMs: number
}

/** `pid`: the gateway of one process, or the supervisor. Its embedded servers are its children. */
export function cpuOfGateway(pid: number): FamilyCpu {
  const own = cpuMs(pid)
  const sums = { gatewayMs: own, mainThreadsMs: cpuMs(pid, pid), supervisorMs: 0, postgresMs: 0, redisMs: 0 }
  for (const child of listChildren(pid)) {
    const command = readFileSync(`/proc/${child}/cmdline`, 'utf8')
    if (command.includes('node-process.js')) {
      sums.gatewayMs += cpuMs(child)
      sums.mainThreadsMs += cpuMs(child, child)
      sums.supervisorMs = own
    } else if (command.includes('redis-server')) sums.redisMs += cpuMs(child)
    else if (command.includes('postgres')) sums.postgresMs += cpuOfFamily(child)
  }
  return sums
}

/** Returns the time in which all cores had nothing to do, and all time of all cores, since the start of the machine. */
export function machineTimes(): { readonly idle: number; readonly all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0] = fields
  return { idle: idle + waiting, all: fields.reduce((sum, field) => sum + field, 0) }
}

function listChildren(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}
