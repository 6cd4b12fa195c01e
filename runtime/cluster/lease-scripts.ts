/** The keys of leases in Redis, and a typed call of each script in `scripts/`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'
import type { Incarnation, Lease } from './ownership/protocol.js'

/** One run of a script: its arguments, and the type of its answer. */
export interface ScriptCall<Answer> {
  readonly script: string
  readonly keys: readonly string[]
  readonly values: readonly (string | number)[]
  /** Turns the answer of Redis into ours. */
  readonly parse: (answer: unknown) => Answer
}

/** Leases as one reading found them. */
export interface LeasesRead {
  /** Changes whenever the data may not be the continuation of what was read before. */
  readonly history: string
  readonly leases: readonly Lease[]
}

/** Prefix of all keys of the cluster: one slot, so that a Redis Cluster runs the scripts. */
export const CLUSTER_PREFIX = '{posthorn:cluster}'
/** Written by each connection that waits for replicas, since they confirm writes of that connection only. */
export const SEEN_KEY = `${CLUSTER_PREFIX}:seen`

const STORE_KEY = `${CLUSTER_PREFIX}:store`
const STORE_USED_KEY = `${STORE_KEY}:used`
const INDEX_KEY = `${CLUSTER_PREFIX}:leases`
/** All leases in one hash, so that a reading is one command whatever the number of nodes. A lease's own key says whether it is there. */
const ALL_KEY = `${INDEX_KEY}:all`

const CREATE = readScript('create_lease')
const RENEW = readScript('renew_lease')
const MARK_LEFT = readScript('mark_left')
const READ = readScript('read_leases')
const NOTE_STORE = readScript('note_store')

/** Time without a note and without a renewal after which nobody uses a store: nodes that renew no longer have closed their guards. */
const STORE_UNUSED_MS = 6_000

/** Makes the lease of an incarnation, over any former one. */
export function createLease(incarnation: Incarnation, creation: number, keptMs: number): ScriptCall<void> {
  return {
    script: CREATE,
    keys: [leaseKey(incarnation), INDEX_KEY, ALL_KEY],
    values: [incarnation, creation, keptMs],
    parse: () => {},
  }
}

/** The store that a node uses, as it was when the node last looked. */
export interface StoreIdentity {
  readonly system: string
  readonly timeline: number
  readonly era: number
}

export type Renewal = 'renewed' | 'lost' | 'failed' | 'outdated'

/**
 * Renews the lease of an incarnation. `lost`: there is none of that creation. `failed`: its counter is as high already. `outdated`: other
 * nodes use another store, or a newer timeline or era of it.
 */
export function renewLease(
  incarnation: Incarnation,
  { creation, counter, keptMs }: { readonly creation: number; readonly counter: number; readonly keptMs: number },
  store: StoreIdentity | null,
): ScriptCall<Renewal> {
  return {
    script: RENEW,
    keys: [leaseKey(incarnation), STORE_KEY, STORE_USED_KEY, ALL_KEY],
    values: [
      creation,
      counter,
      keptMs,
      store?.system ?? '',
      store?.timeline ?? 0,
      store?.era ?? 0,
      STORE_UNUSED_MS,
      incarnation,
    ],
    parse: (answer) => answer as Renewal,
  }
}

/** The store as nodes have noted it: the highest values. */
export interface StoreNote extends StoreIdentity {
  readonly counter: number
  readonly position: number
  readonly epoch: number
}

/** Notes what a node has read of the store. Returns what was noted before; `isUsed`: by nodes that live. */
export function noteStore(note: StoreNote): ScriptCall<(StoreNote & { readonly isUsed: boolean }) | null> {
  const { system, timeline, era, counter, position, epoch } = note
  return {
    script: NOTE_STORE,
    keys: [STORE_KEY, STORE_USED_KEY],
    values: [system, timeline, era, counter, position, epoch, STORE_UNUSED_MS],
    parse(answer) {
      const [used, known, ...numbers] = answer as string[]
      if (known === undefined || known === '') return null
      const [knownTimeline = 0, knownEra = 0, knownCounter = 0, knownPosition = 0, knownEpoch = 0] = numbers.map(Number)
      return {
        isUsed: used === '1',
        system: known,
        timeline: knownTimeline,
        era: knownEra,
        counter: knownCounter,
        position: knownPosition,
        epoch: knownEpoch,
      }
    },
  }
}

/** Notes in the lease, if it is there, that nothing of this incarnation acts. */
export function markLeft(incarnation: Incarnation, creation: number): ScriptCall<void> {
  return { script: MARK_LEFT, keys: [leaseKey(incarnation), ALL_KEY], values: [creation, incarnation], parse: () => {} }
}

/** Reads all leases. `random` names the history of the data when it has no name yet. Those of `still` are removed if they have expired. */
export function readLeases(random: string, still: readonly Incarnation[]): ScriptCall<LeasesRead> {
  return { script: READ, keys: [INDEX_KEY, ALL_KEY], values: [leaseKey(''), random, ...still], parse: parseLeases }
}

function parseLeases(answer: unknown): LeasesRead {
  const [history, leases] = answer as [string, [string, string, string, string][]]
  return {
    history,
    leases: leases.map(([incarnation, creation, counter, left]) => ({
      incarnation,
      creation: Number(creation),
      counter: Number(counter),
      hasLeft: left === '1',
    })),
  }
}

function leaseKey(incarnation: Incarnation): string {
  return `${CLUSTER_PREFIX}:lease:${incarnation}`
}

function readScript(name: string): string {
  return readFileSync(path.join(packageRoot, 'runtime/cluster/scripts', `${name}.lua`), 'utf8')
}
