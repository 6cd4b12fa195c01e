/** Sees everything, at true time, and says what must not be. */
import type { Incarnation } from '../../../runtime/cluster/ownership/protocol.js'
import type { Timeline } from './time.js'

export interface Actor {
  readonly epoch: number
  isLoggedIn: boolean
}

/** A process as the oracle sees it. */
export interface Seen {
  readonly incarnation: Incarnation
  readonly isAlive: boolean
  readonly actors: ReadonlyMap<number, Actor>
  isGuardOpen(): boolean
}

export interface Oracle {
  readonly violation: string | undefined
  readonly processes: Map<Incarnation, Seen>
  fail(what: string): void
  /** A process may act, or act again, for these shards. */
  opened(process: Seen, shards: Iterable<number>): void
  died(incarnation: Incarnation, isDeclared: boolean): void
  /** A process ends since it takes itself for dead. */
  believesDead(incarnation: Incarnation): void
  committed(shard: number, epoch: number, current: number): void
  /** The messages' network accepts a login; like the real one when it is set not to end the older one, it lets the former session live. */
  loggedIn(shard: number, epoch: number): void
  /** A frame arrives that had passed the guard at `sentMs`. */
  frame(shard: number, epoch: number, sentMs: number): void
  /** The epoch under which the network saw the last login. */
  lastLogin(shard: number): number
}

/** @param onlyAtNetwork whether only what the messages' network and the store can see counts. */
export function createOracle(time: Timeline, onlyAtNetwork: boolean): Oracle {
  const logins = new Map<number, { readonly epoch: number; readonly atMs: number }>()
  const dead = new Set<Incarnation>()

  const oracle = {
    violation: undefined as string | undefined,
    processes: new Map<Incarnation, Seen>(),
    fail(what: string) {
      oracle.violation ??= `${Math.round(time.nowMs)} ms: ${what}`
    },
    opened(process: Seen, shards: Iterable<number>) {
      if (onlyAtNetwork || !process.isGuardOpen()) return
      // A node that leaves stops its actors before it announces its end; its guard may stay open a moment longer.
      if (dead.has(process.incarnation) && process.actors.size > 0)
        oracle.fail(`the guard of ${process.incarnation} opens after its death was declared`)
      for (const shard of shards) {
        if (!process.actors.has(shard)) continue
        for (const other of oracle.processes.values()) {
          if (other === process || !other.isAlive || !other.actors.has(shard) || !other.isGuardOpen()) continue
          oracle.fail(`${other.incarnation} and ${process.incarnation} can both act for shard ${shard}`)
        }
      }
    },
    died(incarnation: Incarnation, isDeclared: boolean) {
      dead.add(incarnation)
      if (onlyAtNetwork) return
      const process = oracle.processes.get(incarnation)
      if (isDeclared && process?.isAlive && process.isGuardOpen() && process.actors.size > 0)
        oracle.fail(`${incarnation} is declared dead while its guard is open`)
    },
    believesDead(incarnation: Incarnation) {
      if (!dead.has(incarnation)) oracle.fail(`${incarnation} ends as dead, and is not`)
    },
    committed(shard: number, epoch: number, current: number) {
      if (epoch !== current) oracle.fail(`a write of shard ${shard} under epoch ${epoch} lands under epoch ${current}`)
    },
    loggedIn(shard: number, epoch: number) {
      if (epoch > oracle.lastLogin(shard)) logins.set(shard, { epoch, atMs: time.nowMs })
    },
    frame(shard: number, epoch: number, sentMs: number) {
      const login = logins.get(shard)
      if (login !== undefined && epoch < login.epoch && sentMs > login.atMs)
        oracle.fail(`a frame of shard ${shard} under epoch ${epoch} was sent after the login of epoch ${login.epoch}`)
    },
    lastLogin: (shard: number) => logins.get(shard)?.epoch ?? 0,
  }
  return oracle
}
