/** The place of a process among those of its machine (NODE_PROCESSES). Its supervisor gives it in the environment. */
import { processNodeId } from '../../schemas/node-names.js'
import type { DatabasePlace } from '../connect/database-place.js'
import type { RedisPlace } from '../connect/redis-place.js'

// Ours: the place of a process, from its supervisor.

/** Name of the variable, which only a supervisor sets. */
export const PLACE_VARIABLE = 'POSTHORN_PROCESS'

export interface ProcessPlace {
  /** From 1 on. */
  readonly index: number
  readonly count: number
  /** The embedded servers, which the supervisor has started. Undefined for those that are not ours. */
  readonly database?: DatabasePlace
  readonly redis?: RedisPlace
  /** Folder of the sockets for each other. Undefined when there is none. */
  readonly peerFolder?: string
  /** True when this process shows the lines of the first start to the person at the terminal. */
  readonly announces: boolean
  /** True when all processes start now, so that this one waits for the others before it takes instances. */
  readonly startsTogether: boolean
  /** Number of times that each process was started again, the first one first. */
  readonly restarts: readonly number[]
  /** True when the supervisor made the administrator's token at this start. */
  readonly isAdminTokenNew: boolean
}

/** Returns null for a process that is alone. Removes the variable, so that programs which this one starts do not see it. */
export function takePlace(environment: NodeJS.ProcessEnv): ProcessPlace | null {
  const text = environment[PLACE_VARIABLE]
  if (text === undefined) return null
  delete environment[PLACE_VARIABLE]
  return JSON.parse(text) as ProcessPlace
}

/** @param machine NODE_ID, or the name of the host */
export function chooseNodeId(machine: string, place: Pick<ProcessPlace, 'index'> | null): string {
  return place === null ? machine : processNodeId(machine, place.index)
}

/** Returns the names of all processes of the machine. */
export function listNodeIds(machine: string, { count }: Pick<ProcessPlace, 'count'>): readonly string[] {
  return Array.from({ length: count }, (_, before) => processNodeId(machine, before + 1))
}

/** Returns the port of a process, of which the first has the given one. 0 stays any free one. */
export function choosePort(port: number, place: Pick<ProcessPlace, 'index'> | null): number {
  return place === null || port === 0 ? port : port + place.index - 1
}
