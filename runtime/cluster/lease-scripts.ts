/** The keys of leases in Redis, and a typed call of each script in `scripts/`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../schemas/package-root.js'
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

const INDEX_KEY = `${CLUSTER_PREFIX}:leases`
const HISTORY_KEY = `${CLUSTER_PREFIX}:history`

const CREATE = readScript('create_lease')
const RENEW = readScript('renew_lease')
const MARK_LEFT = readScript('mark_left')
const READ = readScript('read_leases')

/** Makes the lease of an incarnation, over any former one. */
export function createLease(incarnation: Incarnation, creation: number, keptMs: number): ScriptCall<void> {
  return {
    script: CREATE,
    keys: [leaseKey(incarnation), INDEX_KEY],
    values: [incarnation, creation, keptMs],
    parse: () => {},
  }
}

/** Renews the lease of an incarnation. `lost`: there is none of that creation. `failed`: its counter is as high already. */
export function renewLease(
  incarnation: Incarnation,
  { creation, counter, keptMs }: { readonly creation: number; readonly counter: number; readonly keptMs: number },
): ScriptCall<'renewed' | 'lost' | 'failed'> {
  return {
    script: RENEW,
    keys: [leaseKey(incarnation)],
    values: [creation, counter, keptMs],
    parse: (answer) => answer as 'renewed' | 'lost' | 'failed',
  }
}

/** Notes in the lease, if it is there, that nothing of this incarnation acts any more. */
export function markLeft(incarnation: Incarnation, creation: number): ScriptCall<void> {
  return { script: MARK_LEFT, keys: [leaseKey(incarnation)], values: [creation], parse: () => {} }
}

/** Reads all leases. `random` names the history of the data when it has no name yet. */
export function readLeases(random: string): ScriptCall<LeasesRead> {
  return { script: READ, keys: [INDEX_KEY, HISTORY_KEY], values: [leaseKey(''), random], parse: parseLeases }
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
