/** The instances as the API sees them: rows in SQL, readable and writable on any node. */
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { userOf } from '../../schemas/jid.js'
import { changedFieldsMap, type FieldsMap } from '../../schemas/lead-fields.js'
import type { Access, InstanceDirectory, InstanceRow, KeyGrant, Scope } from '../../schemas/ports/instances.js'
import type { Database } from './database.js'
import { inKyselyTransaction, inTransaction } from './in-transaction.js'
import { deleteInstance } from './instance-deletion.js'
import { shardOf } from './shard.js'

export interface InstanceOptions {
  /** How many paired instances may want to be connected in the whole installation (INSTANCES_MAX). */
  readonly instancesMax: number
  /** How many instances may be in the middle of a pairing (QR_INSTANCES_MAX). */
  readonly pairingsMax: number
  /** A pairing is over after that, whatever became of its node. */
  readonly pairingMaxMs: number
  /** How long a token may be taken from memory; a deletion on another node is noticed after that. */
  readonly tokenCacheMs?: number
  /** A row was written or deleted here: what other nodes keep of it in memory is outdated. */
  readonly onWritten?: (id: InstanceId) => void
}

export interface Instances extends InstanceDirectory {
  /** Those of these shards that should be connected, most recently active first. */
  instancesToConnect(shards: readonly number[]): Promise<readonly InstanceId[]>
  /**
   * Holds a place among the connected instances for one whose phone has just scanned, until its account is stored.
   * False when there are `INSTANCES_MAX` without it.
   */
  admit(id: InstanceId): Promise<boolean>
  /** What is kept in memory of these instances is read again: their rows were changed by an actor or another node. */
  forget(instances: Iterable<InstanceId> | 'all'): void
  /** Its row was changed here, by someone else. */
  noteWritten(id: InstanceId): void
}

/** Rows and the shard's epoch, which decides whether a stored status still says something. */
const COLUMNS = [
  'id',
  'name',
  'system_name',
  'admin_field_01',
  'admin_field_02',
  'status',
  'status_epoch',
  'desired_connected',
  'owner_jid',
  'profile_name',
  'profile_pic_url',
  'is_business',
  'platform',
  'last_disconnect',
  'last_disconnect_reason',
  'fields_map',
  'exported_at',
  'created',
  'updated',
  'token_hash',
] as const

/** 'inst' in ASCII: counting wanted connections is done by one at a time. */
const DESIRED_LOCK = 0x696e7374

/** Its account is known: it is not in the middle of a pairing. Of a row of `instance`. */
const IS_PAIRED = '(owner_jid IS NOT NULL OR owner_lid IS NOT NULL)'
/** The account is stored a moment after the scan. */
const ADMITTED_MS = 60_000
/** When a pairing is likely to have ended. */
const PAIRING_RETRY_S = 10

// Both counts leave out the instance that asks. The clock is PostgreSQL's, and read after the lock was waited for.
// $1 id
const COUNT_WANTED = `
  SELECT count(*) FILTER (WHERE ${IS_PAIRED} OR admitted_until > clock_timestamp())::int AS connected,
    count(*) FILTER (WHERE NOT ${IS_PAIRED} AND pairing_ends > clock_timestamp())::int AS pairing
  FROM instance WHERE desired_connected AND id <> $1`
// $1 id
const ASKED = `SELECT exported_at IS NOT NULL AS exported, ${IS_PAIRED} AS paired,
    desired_connected AND (${IS_PAIRED} OR pairing_ends > clock_timestamp()) AS counted
  FROM instance WHERE id = $1 FOR NO KEY UPDATE`
// $1 id  $2 milliseconds in which a pairing ends; null for one that is paired
const WANT = `UPDATE instance SET desired_connected = true, updated = now(),
    pairing_ends = clock_timestamp() + $2::bigint * interval '1 millisecond'
  WHERE id = $1`
// $1 id  $2 milliseconds
const ADMIT = `UPDATE instance SET admitted_until = clock_timestamp() + $2::bigint * interval '1 millisecond' WHERE id = $1`

export function createInstances(database: Database, options: InstanceOptions): Instances {
  const { kysely, pool } = database
  const tokensOfInstance = new Map<string, Set<string>>()
  let forgets = 0
  const tokens = new LRUCache<string, KnownAccess>({
    max: 20_000,
    ttl: Math.min(options.tokenCacheMs ?? 5_000, 5_000),
    dispose: ({ access }, token) => {
      const all = tokensOfInstance.get(access.instance.id)
      all?.delete(token)
      if (all?.size === 0) tokensOfInstance.delete(access.instance.id)
    },
  })

  return {
    async create(input) {
      const id = newInstanceId()
      const token = newToken()
      // Read within: once it is written, nothing may fail any more of which the caller would be told that nothing was done.
      const row = await inKyselyTransaction(pool, async (transaction) => {
        await transaction
          .insertInto('instance')
          .values({
            id,
            name: clean(input.name),
            system_name: clean(input.systemName),
            admin_field_01: clean(input.adminField01),
            admin_field_02: clean(input.adminField02),
            token_hash: hashOf(token),
          })
          .execute()
        await transaction.insertInto('event_sequence').values({ instance_id: id, last: 0 }).execute()
        return await readRow(transaction, id)
      })
      if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      return { instance: row, token }
    },

    async byToken(token) {
      const key = hash('sha256', token, 'base64')
      const cached = tokens.get(key)
      if (cached !== undefined) return isOver(cached) ? null : cached.access
      const before = forgets
      const tokenHash = Buffer.from(key, 'base64')
      const found = (await byOwnToken(tokenHash)) ?? (await byAccessKey(tokenHash))
      if (found === null) return null
      // What was read before someone said that it is outdated may be outdated.
      if (before === forgets) {
        tokens.set(key, found)
        const all = tokensOfInstance.get(found.access.instance.id) ?? new Set()
        tokensOfInstance.set(found.access.instance.id, all.add(key))
      }
      return isOver(found) ? null : found.access
    },

    async rotateToken(id, graceMs) {
      const token = newToken()
      const formerEnds = await inKyselyTransaction(pool, async (transaction) => {
        const instances = transaction.selectFrom('instance').select('token_hash').where('id', '=', id)
        const former = await instances.forUpdate().executeTakeFirst()
        if (former === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
        const { rows } = await sql<{ ends: Date }>`
          SELECT clock_timestamp() + ${graceMs} * interval '1 millisecond' AS ends`.execute(transaction)
        const ends = rows[0]?.ends ?? new Date()
        await transaction
          .updateTable('access_key')
          .set({ ends: sql`least(ends, ${ends})` })
          .where('instance_id', '=', id)
          .where('kind', '=', 'former')
          .execute()
        if (graceMs > 0)
          await transaction
            .insertInto('access_key')
            .values({ instance_id: id, id: randomUUID(), hash: former.token_hash, kind: 'former', ends })
            .execute()
        const values = { token_hash: hashOf(token), updated: sql<Date>`now()` }
        await transaction.updateTable('instance').set(values).where('id', '=', id).execute()
        return ends
      })
      noteWritten(id)
      return { token, formerEnds }
    },

    byId,

    async all() {
      const [rows, epochs] = await Promise.all([
        select().orderBy('created').orderBy('id').execute(),
        kysely.selectFrom('shard_owner').select(['shard', 'epoch']).execute(),
      ])
      const epochOfShard = new Map(epochs.map(({ shard, epoch }) => [shard, epoch]))
      return rows.map((row) => toRow(row, epochOfShard.get(shardOf(row.id)) ?? 0))
    },

    async rename(id, name) {
      const row = await update(id, { name: clean(name) })
      if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      return row
    },

    setAdminFields: (id, { adminField01, adminField02 }) =>
      update(id, {
        ...(adminField01 === undefined ? {} : { admin_field_01: clean(adminField01) }),
        ...(adminField02 === undefined ? {} : { admin_field_02: clean(adminField02) }),
      }),

    async setFieldsMap(id, set) {
      // Two at once must not give one name to two fields.
      const instance = await inKyselyTransaction(pool, async (transaction) => {
        const instances = transaction.selectFrom('instance').select('fields_map').where('id', '=', id)
        const row = await instances.forUpdate().executeTakeFirst()
        if (row === undefined) return null
        const after = changedFieldsMap(JSON.parse(row.fields_map) as FieldsMap, set)
        const values = { fields_map: JSON.stringify(after), updated: sql<Date>`now()` }
        await transaction.updateTable('instance').set(values).where('id', '=', id).execute()
        return await readRow(transaction, id)
      })
      if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      noteWritten(id)
      return instance
    },

    async setDesired(id, connected) {
      const outcome = connected ? await wantConnected(id) : await wantDisconnected(id)
      if (outcome === 'missing') throw new GatewayError('INSTANCE_NOT_FOUND')
      if (outcome === 'exported') throw new GatewayError('INSTANCE_EXPORTED')
      if (outcome === 'full') throw new GatewayError('INSTANCE_LIMIT')
      if (outcome === 'pairingsFull') throw new GatewayError('PAIRING_LIMIT', { retryAfterSeconds: PAIRING_RETRY_S })
      noteWritten(id)
    },

    async delete(id) {
      await deleteInstance(database.pool, id)
      noteWritten(id)
    },

    async instancesToConnect(shards) {
      const rows = await kysely
        .selectFrom('instance')
        .select('id')
        .where('desired_connected', '=', true)
        .where(sql<boolean>`shard = ANY(${shards}::smallint[])`)
        .orderBy(sql`last_activity_at DESC NULLS LAST`)
        .orderBy('created')
        .execute()
      return rows.map((row) => row.id as InstanceId)
    },

    async admit(id) {
      return inTransaction(pool, async (client) => {
        await client.query('SELECT pg_advisory_xact_lock($1)', [DESIRED_LOCK])
        const { rows } = await client.query<WantedCounts>(COUNT_WANTED, [id])
        if ((rows[0]?.connected ?? 0) >= options.instancesMax) return false
        await client.query(ADMIT, [id, ADMITTED_MS])
        return true
      })
    },

    forget,
    noteWritten,
  }

  async function byOwnToken(hash: Buffer): Promise<KnownAccess | null> {
    const row = await select().where('token_hash', '=', hash).executeTakeFirst()
    // The index finds by the hash of a random token, which tells nothing by its timing; the comparison is exact all the same.
    if (row === undefined || !timingSafeEqual(row.token_hash, hash)) return null
    const access = { instance: toRow(row, await epochOf(row.id)), key: null }
    return { access, endsMs: Number.POSITIVE_INFINITY }
  }

  async function byAccessKey(hash: Buffer): Promise<KnownAccess | null> {
    const row = await kysely
      .selectFrom('access_key')
      .select(['instance_id', 'id', 'hash', 'kind', 'scopes', 'chat'])
      // Left by the clock of PostgreSQL, so that the nodes' own do not count.
      .select(sql<number | null>`(extract(epoch FROM ends - clock_timestamp()) * 1000)::float8`.as('left_ms'))
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (row === undefined || !timingSafeEqual(row.hash, hash)) return null
    const instance = await byId(row.instance_id as InstanceId)
    if (instance === null) return null
    const grant: KeyGrant = { id: row.id, scopes: row.scopes as Scope[], chat: row.chat as Jid | null }
    return {
      access: { instance, key: row.kind === 'former' ? null : grant },
      endsMs: row.left_ms === null ? Number.POSITIVE_INFINITY : performance.now() + row.left_ms,
    }
  }

  function select() {
    return selectRows(kysely)
  }

  async function byId(id: InstanceId): Promise<InstanceRow | null> {
    const [row, epoch] = await Promise.all([select().where('id', '=', id).executeTakeFirst(), epochOf(id)])
    return row === undefined ? null : toRow(row, epoch)
  }

  async function readRow(source: Database['kysely'], id: InstanceId): Promise<InstanceRow | null> {
    const row = await selectRows(source).where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : toRow(row, await epochOf(id, source))
  }

  async function epochOf(id: string, source = kysely): Promise<number> {
    const row = await source
      .selectFrom('shard_owner')
      .select('epoch')
      .where('shard', '=', shardOf(id))
      .executeTakeFirst()
    return row?.epoch ?? 0
  }

  async function update(
    id: InstanceId,
    set: { name?: string; admin_field_01?: string; admin_field_02?: string },
  ): Promise<InstanceRow | null> {
    const row = await inKyselyTransaction(pool, async (transaction) => {
      const values = { ...set, updated: sql<Date>`now()` }
      await transaction.updateTable('instance').set(values).where('id', '=', id).execute()
      return await readRow(transaction, id)
    })
    noteWritten(id)
    return row
  }

  async function wantConnected(id: InstanceId): Promise<'done' | 'missing' | 'exported' | 'full' | 'pairingsFull'> {
    return inTransaction(pool, async (client) => {
      // Before the row: whoever else counts must not wait for it with the row in his hands.
      await client.query('SELECT pg_advisory_xact_lock($1)', [DESIRED_LOCK])
      const { rows } = await client.query<{ exported: boolean; paired: boolean; counted: boolean }>(ASKED, [id])
      const [asked] = rows
      if (asked === undefined) return 'missing'
      if (asked.exported) return 'exported'
      if (!asked.counted) {
        const counts = (await client.query<WantedCounts>(COUNT_WANTED, [id])).rows[0]
        if ((counts?.connected ?? 0) >= options.instancesMax) return 'full'
        if (!asked.paired && (counts?.pairing ?? 0) >= options.pairingsMax) return 'pairingsFull'
      }
      await client.query(WANT, [id, asked.paired ? null : options.pairingMaxMs])
      return 'done'
    })
  }

  async function wantDisconnected(id: InstanceId): Promise<'done' | 'missing'> {
    const result = await inKyselyTransaction(pool, (transaction) =>
      transaction
        .updateTable('instance')
        .set({ desired_connected: false, updated: sql<Date>`now()` })
        .where('id', '=', id)
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0n ? 'done' : 'missing'
  }

  function noteWritten(id: InstanceId): void {
    forget([id])
    options.onWritten?.(id)
  }

  function forget(instances: Iterable<InstanceId> | 'all'): void {
    forgets += 1
    if (instances === 'all') {
      tokens.clear()
      return
    }
    for (const id of instances) {
      for (const token of [...(tokensOfInstance.get(id) ?? [])]) tokens.delete(token)
    }
  }
}

interface WantedCounts {
  readonly connected: number
  readonly pairing: number
}

interface KnownAccess {
  readonly access: Access
  /** By `performance.now()`; infinite when it has no end. */
  readonly endsMs: number
}

function isOver({ endsMs }: KnownAccess): boolean {
  return endsMs <= performance.now()
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

function toRow(row: Row, epoch: number): InstanceRow {
  return {
    id: row.id as InstanceId,
    name: row.name,
    systemName: row.system_name,
    adminField01: row.admin_field_01,
    adminField02: row.admin_field_02,
    status: trueStatus(row, epoch),
    desiredConnected: row.desired_connected,
    owner: row.owner_jid === null ? '' : userOf(row.owner_jid),
    profileName: row.profile_name,
    profilePicUrl: row.profile_pic_url,
    isBusiness: row.is_business,
    platform: row.platform,
    lastDisconnect: row.last_disconnect,
    lastDisconnectReason: row.last_disconnect_reason,
    fieldsMap: JSON.parse(row.fields_map) as FieldsMap,
    isExported: row.exported_at !== null,
    created: row.created,
    updated: row.updated,
  }
}

/** A status that a former owner wrote says only that someone will bring the instance up, or that nobody has to. */
function trueStatus(row: Row, epoch: number): InstanceRow['status'] {
  if (row.status_epoch === epoch) return row.status as InstanceRow['status']
  return row.desired_connected ? 'connecting' : 'disconnected'
}

function selectRows(kysely: Database['kysely']) {
  return kysely.selectFrom('instance').select(COLUMNS)
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** `i` and 15 lower-case letters or digits: 77 bits. */
function newInstanceId(): InstanceId {
  let id = 'i'
  while (id.length < 16) {
    for (const byte of randomBytes(24)) {
      // 252 is the greatest multiple of 36 in a byte: above it, letters would not be equally likely.
      if (byte < 252 && id.length < 16) id += LETTERS[byte % 36]
    }
  }
  return id as InstanceId
}

/** PostgreSQL refuses NUL in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
