/** The instances as the API sees them: rows in SQL, readable and writable on any node. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { InstanceDirectory, InstanceRow } from '../../api/ports.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { userOf } from '../../schemas/jid.js'
import { changedFieldsMap, type FieldsMap } from '../../schemas/lead-fields.js'
import type { Database } from './database.js'
import { deleteInstance } from './instance-deletion.js'
import { shardOf } from './shard.js'

export interface InstanceOptions {
  /** How many instances may want to be connected in the whole installation (INSTANCES_MAX). */
  readonly instancesMax: number
  /** How long a token may be taken from memory; a deletion on another node is noticed after that. */
  readonly tokenCacheMs?: number
  /** A row was written or deleted here: what other nodes keep of it in memory is outdated. */
  readonly onWritten?: (id: InstanceId) => void
}

export interface Instances extends InstanceDirectory {
  /** Those of these shards that should be connected, most recently active first. */
  instancesToConnect(shards: readonly number[]): Promise<readonly InstanceId[]>
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

export function createInstances(database: Database, options: InstanceOptions): Instances {
  const { kysely } = database
  const keyOfInstance = new Map<string, string>()
  let forgets = 0
  const tokens = new LRUCache<string, InstanceRow>({
    max: 20_000,
    ttl: Math.min(options.tokenCacheMs ?? 5_000, 5_000),
    dispose: (instance) => keyOfInstance.delete(instance.id),
  })

  return {
    async create(input) {
      const id = newInstanceId()
      const token = randomBytes(32).toString('base64url')
      await kysely.transaction().execute(async (transaction) => {
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
      })
      const instance = await byId(id)
      if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      return { instance, token }
    },

    async byToken(token) {
      const hash = hashOf(token)
      const key = hash.toString('base64')
      const cached = tokens.get(key)
      if (cached !== undefined) return cached
      const before = forgets
      const row = await select().where('token_hash', '=', hash).executeTakeFirst()
      // The index finds by the hash of a random token, which tells nothing by its timing; the comparison is exact all the same.
      if (row === undefined || !timingSafeEqual(row.token_hash, hash)) return null
      const instance = toRow(row, await epochOf(row.id))
      // What was read before someone said that it is outdated may be outdated.
      if (before === forgets) {
        tokens.set(key, instance)
        keyOfInstance.set(instance.id, key)
      }
      return instance
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
      const isKnown = await kysely.transaction().execute(async (transaction) => {
        const instances = transaction.selectFrom('instance').select('fields_map').where('id', '=', id)
        const row = await instances.forUpdate().executeTakeFirst()
        if (row === undefined) return false
        const after = changedFieldsMap(JSON.parse(row.fields_map) as FieldsMap, set)
        const values = { fields_map: JSON.stringify(after), updated: new Date() }
        await transaction.updateTable('instance').set(values).where('id', '=', id).execute()
        return true
      })
      const instance = isKnown ? await byId(id) : null
      if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      noteWritten(id)
      return instance
    },

    async setDesired(id, connected) {
      const outcome = connected ? await wantConnected(id) : await wantDisconnected(id)
      if (outcome === 'missing') throw new GatewayError('INSTANCE_NOT_FOUND')
      if (outcome === 'exported') throw new GatewayError('INSTANCE_EXPORTED')
      if (outcome === 'full') throw new GatewayError('INSTANCE_LIMIT')
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

    forget,
    noteWritten,
  }

  function select() {
    return selectRows(kysely)
  }

  async function byId(id: InstanceId): Promise<InstanceRow | null> {
    const [row, epoch] = await Promise.all([select().where('id', '=', id).executeTakeFirst(), epochOf(id)])
    return row === undefined ? null : toRow(row, epoch)
  }

  async function epochOf(id: string): Promise<number> {
    const row = await kysely
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
    await kysely
      .updateTable('instance')
      .set({ ...set, updated: new Date() })
      .where('id', '=', id)
      .execute()
    noteWritten(id)
    return byId(id)
  }

  async function wantConnected(id: InstanceId): Promise<'done' | 'missing' | 'exported' | 'full'> {
    return kysely.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${DESIRED_LOCK})`.execute(transaction)
      const { rows } = await sql<{ known: boolean; exported: boolean; wanted: boolean }>`
        WITH target AS (SELECT exported_at FROM instance WHERE id = ${id}),
        wanted AS (
          UPDATE instance SET desired_connected = true, updated = now()
          WHERE id = ${id} AND exported_at IS NULL AND (desired_connected
            OR (SELECT count(*) FROM instance WHERE desired_connected) < ${options.instancesMax})
          RETURNING id
        )
        SELECT EXISTS (SELECT FROM target) AS known,
          EXISTS (SELECT FROM target WHERE exported_at IS NOT NULL) AS exported, EXISTS (SELECT FROM wanted) AS wanted`.execute(
        transaction,
      )
      if (!rows[0]?.known) return 'missing'
      if (rows[0].exported) return 'exported'
      return rows[0].wanted ? 'done' : 'full'
    })
  }

  async function wantDisconnected(id: InstanceId): Promise<'done' | 'missing'> {
    const result = await kysely
      .updateTable('instance')
      .set({ desired_connected: false, updated: new Date() })
      .where('id', '=', id)
      .executeTakeFirst()
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
      const key = keyOfInstance.get(id)
      if (key !== undefined) tokens.delete(key)
    }
  }
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

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
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
