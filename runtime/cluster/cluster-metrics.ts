/** Metrics of a node in its cluster: its shards, its proof that it lives, and its hints from other nodes. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { StoreView } from '../../schemas/ports/cluster.js'
import { judgeNodeState } from './cluster-view.js'
import type { NodeObserver } from './core-commands.js'
import type { HintOptions } from './hint-batch.js'
import type { NodeLease } from './lease.js'
import type { ClusterNode } from './node.js'
import type { CountedEvent } from './proof.js'
import type { Move } from './shard-moves.js'
import type { StoreObserver } from './store-watch.js'

export interface ClusterMetrics {
  /** For `startClusterNode`. */
  readonly node: NodeObserver
  /** For `createHints`. */
  readonly hint: NonNullable<HintOptions['observe']>
  /** For the watch of the store. */
  readonly store: Required<StoreObserver>
}

export interface ClusterMetricSources {
  /** Returns undefined before the node was started. */
  readonly node: () => Pick<ClusterNode, 'owned' | 'findEpoch' | 'shards' | 'nodes' | 'signOfLife'> | undefined
  readonly lease: () => Pick<NodeLease, 'isOpen' | 'ageMs' | 'counts'> | undefined
  /** Returns true while hints of others arrive. */
  readonly isHearing: () => boolean
  readonly store: () => StoreView | undefined
}

/** Returns logins since the start, logins that wait for their turn, and the maximum that may begin in a second. */
export type LoginSource = () => { readonly begun: number; readonly waiting: number; readonly perSecond: number }

type NodeSource = NonNullable<ReturnType<ClusterMetricSources['node']>>

export function createClusterMetrics(registry: Registry, sources: ClusterMetricSources): ClusterMetrics {
  const registers = [registry]
  shardMetrics(registers, sources)
  proofMetrics(registers, sources)
  new Gauge({
    name: 'posthorn_nodes',
    help: 'Nodes, as this one sees them: active, draining, silent (a sign of life is overdue), dead (they still own shards).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(nodesByState(sources.node()))) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'posthorn_hints_hearing',
    help: '1 while hints of other nodes arrive. At 0 everything is right, but later: this node looks at everything once a second.',
    registers,
    collect() {
      this.set(sources.isHearing() ? 1 : 0)
    },
  })
  const hints = new Counter({
    name: 'posthorn_hints_total',
    help: 'Messages to and from other nodes over Redis: sent, unsent (the next one says "all"), heard.',
    labelNames: ['what'],
    registers,
  })
  for (const what of ['sent', 'unsent', 'heard'] as const) hints.inc({ what }, 0)
  return {
    node: nodeObserver(registers),
    hint: (what) => hints.inc({ what }),
    store: storeMetrics(registers, sources),
  }
}

const STORE_STATES = ['current', 'outdated', 'foreign', 'behind'] as const satisfies readonly StoreView['state'][]

function storeMetrics(registers: Registry[], { store }: ClusterMetricSources): ClusterMetrics['store'] {
  new Gauge({
    name: 'posthorn_store_state',
    help: '1 for the state of PostgreSQL as this node sees it: current, outdated (an old primary: other nodes use a newer one), foreign (another database than the other nodes use), behind (it went back in time). The node serves instances only in current.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of STORE_STATES) this.set({ state }, store()?.state === state ? 1 : 0)
    },
  })
  new Gauge({
    name: 'posthorn_store_lost_seconds',
    help: 'Length of the span whose commits may be missing since PostgreSQL last went back in time; 0 if it never did or the span is not known.',
    registers,
    collect() {
      const { from, until } = store()?.wentBack ?? { from: null, until: null }
      this.set(from === null || until === null ? 0 : Math.max(0, until.getTime() - from.getTime()) / 1000)
    },
  })
  const wentBack = new Counter({
    name: 'posthorn_store_went_back_total',
    help: 'How often PostgreSQL went back in time while this node used it: a failover without the last commits, or an older copy (restore).',
    labelNames: ['cause'],
    registers,
  })
  for (const cause of ['failover', 'restore'] as const) wentBack.inc({ cause }, 0)
  const moved = new Counter({
    name: 'posthorn_store_failovers_total',
    help: 'Failovers of PostgreSQL after which nothing was missing that this node had stored.',
    registers,
  })
  return { wentBack: ({ cause }) => wentBack.inc({ cause }), moved: () => moved.inc() }
}

function shardMetrics(registers: Registry[], { node }: ClusterMetricSources): void {
  new Gauge({
    name: 'posthorn_shards',
    help: 'Shards: owned by this node, acting (owned, and its actors may act), free (nobody lives who owns them, as this node sees it).',
    labelNames: ['state'],
    registers,
    collect() {
      const owned = node()?.owned() ?? []
      this.set({ state: 'owned' }, owned.length)
      this.set({ state: 'acting' }, owned.filter((shard) => node()?.findEpoch(shard) !== undefined).length)
      this.set({ state: 'free' }, freeShards(node()))
    },
  })
  new Gauge({
    name: 'posthorn_shard_epoch_max',
    help: 'The highest epoch of any shard that this node knows: how often the most restless one has changed hands.',
    registers,
    collect() {
      this.set(Math.max(0, ...(node()?.shards() ?? []).map(({ epoch }) => epoch)))
    },
  })
}

function proofMetrics(registers: Registry[], { lease }: ClusterMetricSources): void {
  new Gauge({
    name: 'posthorn_guard_open',
    help: '1 while this node can prove that it lives, so that bytes may leave its sockets.',
    registers,
    collect() {
      this.set(lease()?.isOpen() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'posthorn_lease_age_seconds',
    help: 'How long ago the last proof that this node lives was asked for. About 1 at most while Redis answers; the guard closes at 4.',
    registers,
    collect() {
      const ageMs = lease()?.ageMs() ?? null
      if (ageMs === null) this.remove()
      else this.set(ageMs / 1000)
    },
  })
  const counted = (name: string, help: string, outcomes: Readonly<Record<string, CountedEvent>>) =>
    new Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers,
      collect() {
        const counts = lease()?.counts()
        this.reset()
        for (const [outcome, event] of Object.entries(outcomes)) this.inc({ outcome }, counts?.[event] ?? 0)
      },
    })
  counted(
    'posthorn_lease_renewals_total',
    'Questions to Redis about the lease of this node: created, renewed, lost (Redis did not have it), failed (no answer in time).',
    { created: 'leaseCreated', renewed: 'leaseRenewed', lost: 'leaseLost', failed: 'leaseFailed' },
  )
  counted(
    'posthorn_lease_holds_total',
    'Signs of life in SQL, which are written while Redis is in doubt: held, failed (no answer in time), refused (declared dead).',
    { held: 'held', failed: 'holdFailed', refused: 'holdRefused' },
  )
}

/** Creates the metrics of logins to the network, of all instances of this node together. */
/** Returns what counts a lowering of the rate, by what showed strain. */
export function createLoginMetrics(registry: Registry, logins: LoginSource): (strain: string) => void {
  const registers = [registry]
  new Counter({
    name: 'posthorn_logins_total',
    help: 'Logins of instances to WhatsApp that this node has begun.',
    registers,
    collect() {
      this.reset()
      this.inc(logins().begun)
    },
  })
  new Gauge({
    name: 'posthorn_logins_waiting',
    help: 'Instances that wait for their turn to log in.',
    registers,
    collect() {
      this.set(logins().waiting)
    },
  })
  new Gauge({
    name: 'posthorn_logins_max_per_second',
    help: 'Maximum number of logins that this node begins in a second: as configured, or as many as it has found that it can.',
    registers,
    collect() {
      this.set(logins().perSecond)
    },
  })
  const lowered = new Counter({
    name: 'posthorn_login_rate_lowered_total',
    help: 'How often this node has lowered its rate of logins, by what showed strain: loop, store, network, or late when logins took too long.',
    labelNames: ['strain'],
    registers,
  })
  return (strain) => lowered.inc({ strain })
}

function nodeObserver(registers: Registry[]): NodeObserver {
  const moves = new Counter({
    name: 'posthorn_shard_moves_total',
    help: 'Shards that were taken or given. Cause: pull (planned), claim (nobody living owned it; failed counts the questions), table (the table said so before an answer did). Outcome: done, refused (not now), failed.',
    labelNames: ['direction', 'cause', 'outcome'],
    registers,
  })
  for (const labels of moveLabels) moves.inc(labels, 0)
  const counter = (name: string, help: string): (() => void) => {
    const made = new Counter({ name, help, registers })
    return () => made.inc()
  }
  return {
    moved: ({ shards, ...labels }) => moves.inc(labels, shards),
    fenced: counter(
      'posthorn_fences_total',
      'How often this node ended all its connections because it could not prove that it lives.',
    ),
    raised: counter(
      'posthorn_shard_epochs_raised_total',
      'Epochs that this node raised because SQL did not say what became of a shard that it gave away.',
    ),
    declaredDead: counter(
      'posthorn_nodes_declared_dead_total',
      'Nodes that this one found without any sign of life and declared dead.',
    ),
  }
}

/** Makes the series exist from the start, so that they show their first change too. */
const moveLabels: readonly Omit<Move, 'shards'>[] = [
  ...(['done', 'refused', 'failed'] as const).flatMap((outcome) => [
    { direction: 'taken' as const, cause: 'pull' as const, outcome },
    { direction: 'given' as const, cause: 'pull' as const, outcome },
  ]),
  { direction: 'taken', cause: 'claim', outcome: 'done' },
  { direction: 'taken', cause: 'claim', outcome: 'failed' },
  { direction: 'taken', cause: 'table', outcome: 'done' },
  { direction: 'given', cause: 'table', outcome: 'done' },
]

function nodesByState(source: NodeSource | undefined): Readonly<Record<ReturnType<typeof judgeNodeState>, number>> {
  const counts = { active: 0, draining: 0, silent: 0, dead: 0 }
  const owners = new Set(source?.shards().map(({ owner }) => owner))
  for (const node of source?.nodes() ?? []) {
    const state = judgeNodeState(node, source?.signOfLife(node.incarnation))
    if (state !== 'dead' || owners.has(node.incarnation)) counts[state] += 1
  }
  return counts
}

function freeShards(source: NodeSource | undefined): number {
  const living = new Set(source?.nodes().flatMap((node) => (node.isDead ? [] : [node.incarnation])))
  return source?.shards().filter(({ owner }) => owner === null || !living.has(owner)).length ?? 0
}
