/** A simulated Redis with one replica: expiry by its own clock, asynchronous replication, fail-over, wipe, restart. */
import type { Incarnation, Lease } from '../../../runtime/cluster/ownership/protocol.js'
import type { Timeline } from './time.js'

interface Stored extends Lease {
  readonly expiresMs: number
}

interface Server {
  readonly leases: Map<Incarnation, Stored>
  history: string
  /** Data of the replica, applied late. */
  readonly replica: Map<Incarnation, Stored>
  isReplicating: boolean
}

export interface SimulatedRedis {
  isAway: boolean
  create(server: Server, incarnation: Incarnation, creation: number, keptMs: number): void
  renew(
    server: Server,
    incarnation: Incarnation,
    creation: number,
    counter: number,
    keptMs: number,
  ): 'renewed' | 'lost' | 'late'
  markLeft(server: Server, incarnation: Incarnation): void
  read(server: Server): { readonly history: string; readonly leases: readonly Lease[] }
  /** The server that a client reaches: after a fail-over some may still be at the former one. */
  findServer(client: string): Server
  wipe(): void
  evict(incarnation: Incarnation): void
  /** Its data goes back to what it was at the last `save`. */
  restart(): void
  save(): void
  stopReplicating(): void
  failOver(stayBehind: readonly string[]): void
  endFailOver(): void
  jumpClock(ms: number): void
}

const REPLICATION_MS = 20

export function createRedis(time: Timeline): SimulatedRedis {
  let histories = 0
  let clockOffsetMs = 0
  let primary = newServer(new Map())
  let former: { readonly server: Server; readonly clients: ReadonlySet<string> } | undefined
  let saved = new Map<Incarnation, Stored>()

  function newServer(leases: ReadonlyMap<Incarnation, Stored>): Server {
    return { leases: new Map(leases), history: `history ${++histories}`, replica: new Map(leases), isReplicating: true }
  }

  function set(server: Server, lease: Stored): void {
    server.leases.set(lease.incarnation, lease)
    time.at(REPLICATION_MS, () => {
      if (server.isReplicating) server.replica.set(lease.incarnation, lease)
    })
  }

  function get(server: Server, incarnation: Incarnation): Stored | undefined {
    const lease = server.leases.get(incarnation)
    return lease !== undefined && lease.expiresMs > time.nowMs + clockOffsetMs ? lease : undefined
  }

  return {
    isAway: false,
    create(server, incarnation, creation, keptMs) {
      const expiresMs = time.nowMs + clockOffsetMs + keptMs
      set(server, { incarnation, creation, counter: 0, hasLeft: false, expiresMs })
    },
    renew(server, incarnation, creation, counter, keptMs) {
      const lease = get(server, incarnation)
      if (lease?.creation !== creation) return 'lost'
      if (lease.counter >= counter) return 'late'
      set(server, { ...lease, counter, expiresMs: time.nowMs + clockOffsetMs + keptMs })
      return 'renewed'
    },
    markLeft(server, incarnation) {
      const lease = get(server, incarnation)
      if (lease !== undefined) set(server, { ...lease, hasLeft: true })
    },
    read(server) {
      return {
        history: server.history,
        leases: [...server.leases.keys()].flatMap((incarnation) => get(server, incarnation) ?? []),
      }
    },
    findServer(client) {
      return former?.clients.has(client) ? former.server : primary
    },
    wipe() {
      primary.leases.clear()
      primary.replica.clear()
      primary.history = `history ${++histories}`
    },
    evict(incarnation) {
      primary.leases.delete(incarnation)
      primary.replica.delete(incarnation)
    },
    restart() {
      primary = newServer(saved)
    },
    save() {
      saved = new Map(primary.leases)
    },
    stopReplicating() {
      primary.isReplicating = false
    },
    failOver(stayBehind) {
      primary.isReplicating = false
      former = { server: primary, clients: new Set(stayBehind) }
      primary = newServer(primary.replica)
    },
    endFailOver() {
      former = undefined
      primary.isReplicating = true
    },
    jumpClock(ms) {
      clockOffsetMs += ms
    },
  }
}
