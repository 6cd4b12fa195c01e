/** Opens the transaction and finds out for whom it may write. */

import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { userOf } from '../../../schemas/jid.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import type { InstanceFacts, Write } from './batch.js'
import type { Statements } from './connection.js'
import type { Webhook, WebhooksByInstance } from './event-log.js'

// The shards of a commit that the writer still owns; the lock holds until the commit, so that a new owner waits for it.
// In order, so that two lockers cannot wait for each other. With the id of the transaction, by which its outcome can be asked for, and
// its time by PostgreSQL's clock, which is the same for all nodes.
// $1 shards   $2 epochs, in the same order
const FENCE = `
  SELECT shard_owner.shard, shard_owner.epoch, pg_current_xact_id()::text AS xid,
    (extract(epoch FROM now()) * 1000)::bigint AS now_ms
  FROM unnest($1::int[], $2::bigint[]) AS mine(shard, epoch)
  JOIN shard_owner ON shard_owner.shard = mine.shard AND shard_owner.epoch = mine.epoch
  ORDER BY shard_owner.shard
  FOR SHARE OF shard_owner`

// A statement of its own: its snapshot is younger than the locks of the fence, so that it sees the mark of an export that the fence waited for.
// $1 instances
const INSTANCES = `
  SELECT id, number, owner_jid, exported_at IS NOT NULL AS exported, NULL::uuid AS webhook_id, NULL::text[] AS events,
    NULL::text[] AS exclude_messages
  FROM instance WHERE id = ANY($1::text[])`
// Behind the instances, the enabled webhooks that events of these may go to. The id of a global one is null.
const WITH_WEBHOOKS = `${INSTANCES}
  UNION ALL
  SELECT instance_id, NULL, NULL, NULL, id, events, exclude_messages FROM webhook
  WHERE enabled AND (instance_id = ANY($1::text[]) OR instance_id IS NULL)`

interface InstanceRow {
  readonly id: InstanceId
  readonly number: number
  readonly owner_jid: Jid | null
  readonly exported: boolean
  readonly webhook_id: null
}

interface WebhookRow {
  readonly id: InstanceId | null
  readonly webhook_id: string
  readonly events: readonly string[]
  readonly exclude_messages: readonly string[]
}

export interface FencePassage {
  /** Facts about each instance that may be written: its shard has the writer's epoch, and it has not been deleted. */
  readonly facts: ReadonlyMap<string, InstanceFacts>
  /** The id of the transaction; '' when no shard passed. */
  readonly xid: string
  /** When the transaction began, by PostgreSQL's clock. */
  readonly now: Date
  readonly webhooks: WebhooksByInstance
}

/** `announces`: the webhooks are read, too. */
export async function passFence(
  client: Statements,
  writes: readonly Write[],
  announces: boolean,
): Promise<FencePassage> {
  const epochs = new Map<string, { shard: number; epoch: number }>()
  for (const { shard, epoch } of writes) epochs.set(`${shard} ${epoch}`, { shard, epoch })
  const mine = [...epochs.values()]
  const ids = [...new Set(writes.map((write) => write.instance))]
  const [fence, instances] = await Promise.all([
    client.query<{ shard: number; epoch: number; xid: string; now_ms: number }>(FENCE, [
      intArray(mine.map((one) => one.shard)),
      bigintArray(mine.map((one) => one.epoch)),
    ]),
    client.query<InstanceRow | WebhookRow>(announces ? WITH_WEBHOOKS : INSTANCES, [textArray(ids)]),
  ])
  const passed = new Set(fence.rows.map((row) => `${row.shard} ${row.epoch}`))
  const rows = new Map<string, InstanceRow>()
  const webhooks = new Map<string, Webhook[]>()
  for (const row of instances.rows) {
    if (row.webhook_id === null) rows.set(row.id, row)
    else addWebhook(webhooks, row)
  }
  const facts = new Map<string, InstanceFacts>()
  for (const write of writes) {
    const row = rows.get(write.instance)
    if (row === undefined || !passed.has(`${write.shard} ${write.epoch}`)) continue
    facts.set(write.instance, {
      id: row.id,
      number: row.number,
      epoch: write.epoch,
      isExported: row.exported,
      owner: row.owner_jid === null ? '' : userOf(row.owner_jid),
    })
  }
  const [first] = fence.rows
  return { facts, xid: first?.xid ?? '', now: new Date(first?.now_ms ?? 0), webhooks }
}

function addWebhook(webhooks: Map<string, Webhook[]>, { id, webhook_id, events, exclude_messages }: WebhookRow): void {
  const scope = id ?? ''
  const webhook = { id: webhook_id, events, exclude_messages }
  const known = webhooks.get(scope)
  if (known === undefined) webhooks.set(scope, [webhook])
  else known.push(webhook)
}

/** Returns true when the write passed. One batch may hold an instance under two epochs, of which only one is current. */
export function hasPassed(facts: ReadonlyMap<string, InstanceFacts>, write: Write): boolean {
  return facts.get(write.instance)?.epoch === write.epoch && !isOfExported(facts, write)
}

/** The writer is the owner, but the instance lives elsewhere. */
export function isOfExported(facts: ReadonlyMap<string, InstanceFacts>, write: Write): boolean {
  const known = facts.get(write.instance)
  if (known?.epoch !== write.epoch || !known.isExported) return false
  return write.changes.some(({ type }) => type !== 'deliveries')
}
