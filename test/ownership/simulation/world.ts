/** Everything that the simulated processes share: time, the wires between them and the servers, the servers, the oracle, the rules in force. */
import type { KeeperRules } from '../../../runtime/cluster/ownership/keeper.js'
import type { Incarnation, NodeId, Timing } from '../../../runtime/cluster/ownership/protocol.js'
import type { CoreRules } from '../../../runtime/cluster/ownership/state.js'
import { createOracle, type Oracle } from './oracle.js'
import type { Process } from './process.js'
import { createRedis, type SimulatedRedis } from './redis.js'
import { createSql, type SimulatedSql, type SqlRules } from './sql.js'
import { type Chance, createTimeline, type Timeline } from './time.js'

/** All on in earnest; each can be switched off to see what it was for. */
export interface Rules {
  readonly core: Partial<CoreRules>
  readonly keeper: KeeperRules
  readonly sql: SqlRules
  /** Bytes leave only while the guard is open. */
  readonly hasGuard: boolean
  /** The guard closes also by the wall clock. */
  readonly looksAtWall: boolean
  /** A renewal counts only when the replica has it. */
  readonly waitsForReplica: boolean
}

export const allRules: Rules = {
  core: {},
  keeper: { countsFromRequest: true, confirmsLease: true, reopensBySql: true },
  sql: { checksRevision: true, locksEpoch: true },
  hasGuard: true,
  looksAtWall: true,
  waitsForReplica: true,
}

export interface World {
  readonly time: Timeline
  readonly chance: Chance
  readonly rules: Rules
  readonly timing: Timing
  readonly redis: SimulatedRedis
  readonly sql: SimulatedSql
  readonly oracle: Oracle
  readonly wires: Wires
  /** The process that listens at each address. */
  readonly listeners: Map<string, Process>
  /** Every process that was ever started. */
  readonly processes: Process[]
  /** A process ended by itself; its supervisor decides what follows. */
  ended: (process: Process, reason: string) => void
  /** The address of the node that most trouble comes to, or none. */
  readonly unlucky: string
  newIncarnation(nodeId: NodeId): Incarnation
  log(text: string): void
}

export function createWorld(
  chance: Chance,
  options: {
    readonly shards: number
    readonly timing: Timing
    readonly rules: Rules
    readonly onlyAtNetwork: boolean
    readonly log?: (line: string) => void
  },
): World {
  const time = createTimeline()
  const oracle = createOracle(time, options.onlyAtNetwork)
  let incarnations = 0
  const log = options.log
  return {
    time,
    chance,
    rules: options.rules,
    timing: options.timing,
    redis: createRedis(time),
    sql: createSql(time, options.shards, options.rules.sql, oracle),
    oracle,
    wires: createWires(time, chance),
    listeners: new Map(),
    processes: [],
    ended: () => {},
    unlucky: chance.happens(0.5) ? 'n0' : 'none',
    newIncarnation: (nodeId) => `${nodeId}#${++incarnations}`,
    log: log === undefined ? () => {} : (text) => log(`${String(Math.round(time.nowMs)).padStart(6)} ${text}`),
  }
}

export interface Wires {
  send(from: string, to: string, arrive: () => void): void
  cut(from: string, to: string): void
  slow(from: string, to: string, delayMs: number): void
  mend(from: string, to: string): void
  mendAll(): void
  isCut(from: string, to: string): boolean
}

/** Each packet takes its own time, so that they overtake each other. */
function createWires(time: Timeline, chance: Chance): Wires {
  const cuts = new Set<string>()
  const delays = new Map<string, number>()
  return {
    send(from, to, arrive) {
      const wire = `${from}>${to}`
      if (cuts.has(wire)) return
      const slowness = delays.get(wire) ?? 0
      time.at(chance.between(0.2, chance.happens(0.02) ? 60 : 4) + slowness * chance.between(0.6, 1), arrive)
    },
    cut: (from, to) => void cuts.add(`${from}>${to}`),
    slow: (from, to, delayMs) => void delays.set(`${from}>${to}`, delayMs),
    mend(from, to) {
      cuts.delete(`${from}>${to}`)
      delays.delete(`${from}>${to}`)
    },
    mendAll() {
      cuts.clear()
      delays.clear()
    },
    isCut: (from, to) => cuts.has(`${from}>${to}`),
  }
}
