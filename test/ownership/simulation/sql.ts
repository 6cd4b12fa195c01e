/** A simulated PostgreSQL: the two tables of ownership, statements that are executed once and whole, row locks of writers. */
import type { Incarnation, NodeRow, ShardRow } from '../../../runtime/cluster/ownership/protocol.js'
import type { Timeline } from './time.js'

export interface SqlRules {
  /** A death is declared only if the revision is still the one that was read. */
  readonly checksRevision: boolean
  /** The check of the epoch locks the row until the commit. */
  readonly locksEpoch: boolean
}

export interface SimulatedSql {
  /** `refusing`: connections are refused. `silent`: nothing answers, and a statement may have been executed. */
  state: 'up' | 'refusing' | 'silent'
  read(): { readonly shards: readonly ShardRow[]; readonly nodes: readonly NodeRow[] }
  register(row: NodeRow, over: { readonly incarnation: Incarnation; readonly revision: number } | null): boolean
  hold(incarnation: Incarnation): boolean
  setDraining(incarnation: Incarnation): void
  leave(incarnation: Incarnation): void
  declareDead(incarnation: Incarnation, revision: number): 'dead' | 'moved'
  /** These wait for the locks of writers, then answer. */
  claim(
    by: Incarnation,
    shards: readonly ({ readonly shard: number } & ShardRow)[],
    done: (granted: readonly { readonly shard: number; readonly epoch: number }[]) => void,
  ): void
  /** `to` null: our own epoch is raised. */
  change(by: Incarnation, shard: number, epoch: number, to: Incarnation | null, done: (row: ShardRow) => void): void
  /** First step of a write: whether the epoch is current. With the locking check nobody changes the row until `commit` or a time-out. */
  check(shard: number, epoch: number): { commit(): boolean } | undefined
}

export interface SqlEvents {
  died(incarnation: Incarnation, isDeclared: boolean): void
  committed(shard: number, epoch: number, current: number): void
}

/** `idle_in_transaction_session_timeout`: a writer that was stopped between check and commit must not block a claim for ever. */
const IDLE_TIMEOUT_MS = 1_000

export function createSql(time: Timeline, shardCount: number, rules: SqlRules, events: SqlEvents): SimulatedSql {
  const shards: ShardRow[] = Array.from({ length: shardCount }, () => ({ owner: null, epoch: 0 }))
  const nodes = new Map<Incarnation, NodeRow>()
  const locks = shards.map(() => 0)
  const waiting: { readonly shards: readonly number[]; readonly execute: () => void }[] = []

  function isLiving(incarnation: Incarnation | null): boolean {
    return incarnation !== null && nodes.get(incarnation)?.isDead === false
  }

  function whenUnlocked(numbers: readonly number[], execute: () => void): void {
    if (numbers.every((shard) => locks[shard] === 0)) execute()
    else waiting.push({ shards: numbers, execute })
  }

  function unlock(shard: number): void {
    locks[shard]! -= 1
    for (const one of waiting.splice(0)) whenUnlocked(one.shards, one.execute)
  }

  return {
    state: 'up',
    read: () => ({ shards: [...shards], nodes: [...nodes.values()] }),
    register(row, over) {
      const former = over === null ? undefined : nodes.get(over.incarnation)
      if (former && !former.isDead && (!rules.checksRevision || former.revision === over!.revision)) {
        nodes.set(former.incarnation, { ...former, isDead: true })
        events.died(former.incarnation, true)
      }
      const known = nodes.get(row.incarnation)
      if (known !== undefined) {
        if (known.isDead) return false
        nodes.set(row.incarnation, { ...known, revision: known.revision + 1 })
        return true
      }
      if ([...nodes.values()].some((one) => one.nodeId === row.nodeId && !one.isDead)) return false
      nodes.set(row.incarnation, row)
      return true
    },
    hold(incarnation) {
      const row = nodes.get(incarnation)
      if (row === undefined || row.isDead) return false
      nodes.set(incarnation, { ...row, revision: row.revision + 1 })
      return true
    },
    setDraining(incarnation) {
      const row = nodes.get(incarnation)
      if (row !== undefined) nodes.set(incarnation, { ...row, isDraining: true })
    },
    leave(incarnation) {
      const row = nodes.get(incarnation)
      if (row === undefined || row.isDead) return
      nodes.set(incarnation, { ...row, isDead: true })
      events.died(incarnation, false)
    },
    declareDead(incarnation, revision) {
      const row = nodes.get(incarnation)
      if (row === undefined || row.isDead) return 'dead'
      if (rules.checksRevision && row.revision !== revision) return 'moved'
      nodes.set(incarnation, { ...row, isDead: true })
      events.died(incarnation, true)
      return 'dead'
    },
    claim(by, wanted, done) {
      whenUnlocked(
        wanted.map((one) => one.shard),
        () => {
          const granted = wanted.flatMap(({ shard, owner, epoch }) => {
            const row = shards[shard]!
            if (row.owner !== owner || row.epoch !== epoch || isLiving(row.owner) || !isLiving(by)) return []
            shards[shard] = { owner: by, epoch: epoch + 1 }
            return [{ shard, epoch: epoch + 1 }]
          })
          done(granted)
        },
      )
    },
    change(by, shard, epoch, to, done) {
      whenUnlocked([shard], () => {
        const row = shards[shard]!
        const isAllowed = row.owner === by && row.epoch === epoch && (to === null || isLiving(to))
        if (isAllowed) shards[shard] = { owner: to ?? by, epoch: epoch + 1 }
        done(shards[shard]!)
      })
    },
    check(shard, epoch) {
      if (shards[shard]!.epoch !== epoch) return undefined
      if (rules.locksEpoch) locks[shard]! += 1
      let isOver = false
      function over(): void {
        isOver = true
        if (rules.locksEpoch) unlock(shard)
      }
      time.at(IDLE_TIMEOUT_MS, () => {
        if (!isOver) over()
      })
      return {
        commit() {
          if (isOver) return false
          events.committed(shard, epoch, shards[shard]!.epoch)
          over()
          return true
        },
      }
    },
  }
}
