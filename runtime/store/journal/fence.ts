/** Opens the transaction and finds out for whom it may write. */

import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { readUser } from '../../../schemas/jid.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import { Unexpected } from './ahead.js'
import type { InstanceFacts, Write } from './batch.js'
import type { Statements } from './connection.js'
import type { Webhook, WebhooksByInstance } from './event-log.js'
import type { Value } from './wave.js'

const NOW_MS = 'floor(extract(epoch FROM now()) * 1000)::bigint'
/** When the transaction began, to the millisecond, as `now` of a passage is. */
export const TRANSACTION_TIME = "date_trunc('milliseconds', now())"

// The shards of a commit that the writer still owns; the lock holds until the commit, so that a new owner waits for it.
// In order, so that two lockers cannot wait for each other. With the id of the transaction, by which its outcome can be asked for, and
// its time by PostgreSQL's clock, which is the same for all nodes.
// $1 shards   $2 epochs, in the same order   $3 the writer; empty: only the epoch counts
const LOCK = 'FOR SHARE OF shard_owner'
const FENCE = `
  SELECT shard_owner.shard, shard_owner.epoch, pg_current_xact_id()::text AS xid, ${NOW_MS} AS now_ms
  FROM unnest($1::int[], $2::bigint[]) AS mine(shard, epoch)
  JOIN shard_owner ON shard_owner.shard = mine.shard AND shard_owner.epoch = mine.epoch AND ($3::text = '' OR shard_owner.owner = $3)
  ORDER BY shard_owner.shard
  ${LOCK}`
// The same, for statements that are sent behind it before it is answered: it fails unless all passed, and they do not run.
const NOT_PASSED = 'Another node owns a shard of this write, or nobody: '
const STRICT_FENCE = `
  WITH passed AS MATERIALIZED (${FENCE})
  SELECT pg_current_xact_id()::text AS xid, ${NOW_MS} AS now_ms,
    CASE WHEN count(*) = cardinality($1::int[]) THEN 1 ELSE ('${NOT_PASSED}' || count(*) || ' passed.')::int END AS passed
  FROM passed`
// Of one shard, which costs PostgreSQL half as much. The text of the failure holds something that is not known when it is planned.
// $1 shard   $2 epoch   $3 the writer
const STRICT_FENCE_OF_ONE = `
  SELECT pg_current_xact_id()::text AS xid, ${NOW_MS} AS now_ms, COALESCE(
    (SELECT 1 FROM shard_owner WHERE shard = $1::int AND epoch = $2::bigint AND ($3::text = '' OR owner = $3) ${LOCK}),
    ('${NOT_PASSED}' || pg_current_xact_id()::text)::int) AS passed`

// A statement of its own: its snapshot is younger than the locks of the fence, so that it sees the mark of an export that the fence waited for.
// $1 instances
const INSTANCES = `
  SELECT id, number, owner_jid, name, exported_at IS NOT NULL AS exported, NULL::uuid AS webhook_id,
    NULL::text[] AS events, NULL::text[] AS exclude_messages
  FROM instance WHERE id = ANY($1::text[])`
// Behind the instances, the enabled webhooks that events of these may go to. The id of a global one is null.
const WITH_WEBHOOKS = `${INSTANCES}
  UNION ALL
  SELECT instance_id, NULL, NULL, NULL, NULL, id, events, exclude_messages FROM webhook
  WHERE enabled AND (instance_id = ANY($1::text[]) OR instance_id IS NULL)`

interface FenceRow {
  readonly xid: string
  readonly now_ms: number
}

interface InstanceRow {
  readonly id: InstanceId
  readonly number: number
  readonly owner_jid: Jid | null
  readonly name: string
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

/** `writer`: the incarnation that must own the shards; empty: only the epoch counts. `announces`: the webhooks are read, too. */
export async function passFence(
  client: Statements,
  writes: readonly Write[],
  writer: string,
  announces: boolean,
): Promise<FencePassage> {
  const [fence, instances] = await Promise.all([
    client.query<{ shard: number; epoch: number } & FenceRow>(FENCE, [...encodeEpochs(writes), writer]),
    client.query<InstanceRow | WebhookRow>(announces ? WITH_WEBHOOKS : INSTANCES, [textArray(listIds(writes))]),
  ])
  const passed = new Set(fence.rows.map((row) => `${row.shard} ${row.epoch}`))
  const { rows, webhooks } = sorted(instances.rows)
  const facts = new Map<string, InstanceFacts>()
  for (const write of writes) {
    const row = rows.get(write.instance)
    if (row === undefined || !passed.has(`${write.shard} ${write.epoch}`)) continue
    facts.set(write.instance, toFacts(row, write))
  }
  return { facts, ...beginning(fence.rows[0]), webhooks }
}

/**
 * Like `passFence`, for writes that are all expected to pass. Statements that are sent behind it run only if all shards passed.
 * @throws the error of PostgreSQL when a shard did not pass; Unexpected when an instance is not there, or belongs to another installation
 */
export async function passFenceAhead(
  client: Statements,
  writes: readonly Write[],
  writer: string,
  announces: boolean,
): Promise<FencePassage> {
  const [fence, instances] = await Promise.all([
    client.query<FenceRow>(...chooseStrictFence(writes, writer)),
    client.query<InstanceRow | WebhookRow>(announces ? WITH_WEBHOOKS : INSTANCES, [textArray(listIds(writes))]),
  ])
  const { rows, webhooks } = sorted(instances.rows)
  const facts = new Map<string, InstanceFacts>()
  for (const write of writes) {
    const row = rows.get(write.instance)
    if (row === undefined || row.exported) throw new Unexpected('An instance is no longer here.')
    facts.set(write.instance, toFacts(row, write))
  }
  return { facts, ...beginning(fence.rows[0]), webhooks }
}

function chooseStrictFence(writes: readonly Write[], writer: string): [text: string, values: readonly Value[]] {
  const [only, ...others] = listShards(writes)
  if (only !== undefined && others.length === 0) return [STRICT_FENCE_OF_ONE, [only.shard, only.epoch, writer]]
  return [STRICT_FENCE, [...encodeEpochs(writes), writer]]
}

function encodeEpochs(writes: readonly Write[]): Buffer[] {
  const mine = listShards(writes)
  return [intArray(mine.map((one) => one.shard)), bigintArray(mine.map((one) => one.epoch))]
}

/** Returns one write of each shard and epoch. */
function listShards(writes: readonly Write[]): Write[] {
  const epochs = new Map<string, Write>()
  for (const write of writes) epochs.set(`${write.shard} ${write.epoch}`, write)
  return [...epochs.values()]
}

function listIds(writes: readonly Write[]): InstanceId[] {
  return [...new Set(writes.map((write) => write.instance))]
}

function sorted(all: readonly (InstanceRow | WebhookRow)[]) {
  const rows = new Map<string, InstanceRow>()
  const webhooks = new Map<string, Webhook[]>()
  for (const row of all) {
    if (row.webhook_id === null) rows.set(row.id, row)
    else addWebhook(webhooks, row)
  }
  return { rows, webhooks }
}

function toFacts({ id, number, exported, owner_jid, name }: InstanceRow, { epoch }: Write): InstanceFacts {
  return { id, number, epoch, isExported: exported, owner: owner_jid === null ? '' : readUser(owner_jid), name }
}

function beginning(row: FenceRow | undefined): Pick<FencePassage, 'xid' | 'now'> {
  return { xid: row?.xid ?? '', now: new Date(row?.now_ms ?? 0) }
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
