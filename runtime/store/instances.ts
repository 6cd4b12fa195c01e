/** The instances as the API sees them: rows in SQL, readable and writable on any node. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { changedTags, type TagChange } from '../../schemas/instance-tags.js'
import { changedFieldsMap, type FieldsMap } from '../../schemas/lead-fields.js'
import type { ConnectionEntry, InstanceDirectory, InstanceRow } from '../../schemas/ports/instances.js'
import type { Database } from './database.js'
import { inTransaction, runInTransaction } from './in-transaction.js'
import { eraseInstance } from './instance-deletion.js'
import { readAllInstances, readInstance } from './instance-rows.js'
import { createInstanceSearch } from './instance-search.js'
import { hashOfToken, InstanceTokens, newToken, type TokenKeeper } from './instance-tokens.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'
import {
  admitInstance,
  type ConnectionLimits,
  type InstanceToConnect,
  readInstancesToConnect,
  wantConnected,
  wantDisconnected,
  wantStopped,
} from './wanted-instances.js'

// Bound: 8,192, the names of the twenty fields of a lead.

export interface InstanceOptions extends ConnectionLimits {
  /** Time for which a token may be taken from memory. After it, a deletion on another node is noticed. */
  readonly tokenCacheMs?: number
  /** Maximum time of a search. */
  readonly searchTimeoutMs?: number
  /** Keeps a copy of the token of a new instance, in the same transaction. */
  readonly onCreated?: TokenKeeper
  /** Keeps a copy of a rotated token where somebody must be able to read it, in the same transaction. */
  readonly onRotated?: TokenKeeper
  /** Called when a row was written or deleted here: other nodes must forget it. */
  readonly onWritten?: (id: InstanceId) => void
}

export interface Instances extends InstanceDirectory {
  /** Returns the instances of these shards that should be connected, most recently active first. */
  instancesToConnect(shards: readonly number[]): Promise<readonly InstanceToConnect[]>
  /**
   * Holds a place among the connected instances for one whose phone has just scanned, until its account is stored.
   * Returns false when there are `INSTANCES_MAX` without it.
   */
  admit(id: InstanceId): Promise<boolean>
  /** Forgets what is kept in memory of these instances: an actor or another node has changed their rows. */
  forget(instances: Iterable<InstanceId> | 'all'): void
  /** Takes note that another part of this node has changed the row. */
  noteWritten(id: InstanceId): void
}

// $1 id   $2 name   $3 system name   $4 and $5 fields of the administrator   $6 hash of the token   $7 tags
const CREATE = `
  INSERT INTO instance (id, name, system_name, admin_field_01, admin_field_02, token_hash, tags)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`
// $1 id
const CREATE_SEQUENCE = 'INSERT INTO event_sequence (instance_id, last) VALUES ($1, 0)'
// Null leaves a field as it is.
// $1 id   $2 name   $3 and $4 fields of the administrator
const UPDATE = `
  UPDATE instance SET name = COALESCE($2, name), admin_field_01 = COALESCE($3, admin_field_01),
    admin_field_02 = COALESCE($4, admin_field_02), updated = now()
  WHERE id = $1`
// $1 id
const LOCK_FIELDS_MAP = 'SELECT fields_map FROM instance WHERE id = $1 FOR UPDATE'
// $1 id   $2 JSON
const SET_FIELDS_MAP = 'UPDATE instance SET fields_map = $2, updated = now() WHERE id = $1'
// $1 id   $2 country
const SET_DEFAULT_COUNTRY = 'UPDATE instance SET default_country = $2, updated = now() WHERE id = $1'

// $1 id
const LOCK_TAGS = 'SELECT tags FROM instance WHERE id = $1 FOR NO KEY UPDATE'
// $1 id   $2 tags
const SET_TAGS = 'UPDATE instance SET tags = $2, updated = now() WHERE id = $1'

export function createInstances({ pool }: Pick<Database, 'pool'>, options: InstanceOptions): Instances {
  const tokens = new InstanceTokens(pool, options.tokenCacheMs, options.onRotated)
  const searchAll = createSearch(pool, options.searchTimeoutMs ?? SEARCH_TIMEOUT_MS, { mayLag: true })
  return {
    create: (input) => createInstance(pool, input, options.onCreated),
    byToken: (token) => tokens.byToken(token),
    async rotateToken(id, graceMs) {
      const rotated = await tokens.rotate(id, graceMs)
      noteWritten(id)
      return rotated
    },
    byId: (id) => readInstance(pool, id),
    all: () => readAllInstances(searchAll),
    connections: (id, limit) => readConnections(pool, id, limit),
    find: createInstanceSearch(pool, options.searchTimeoutMs),
    async rename(id, name) {
      const row = await update(id, { name })
      if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      return row
    },
    setAdminFields: (id, fields) => update(id, fields),
    async changeTags(id, change) {
      const row = await changeTags(pool, id, change)
      if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      noteWritten(id)
      return row
    },
    async setFieldsMap(id, set) {
      const instance = await changeFieldsMap(pool, id, set)
      if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      noteWritten(id)
      return instance
    },
    async setDefaultCountry(id, country) {
      const instance = await changeDefaultCountry(pool, id, country)
      if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      noteWritten(id)
      return instance
    },
    async setDesired(id, connected) {
      if (connected) await wantConnected(pool, id, options)
      else await wantDisconnected(pool, id)
      noteWritten(id)
    },
    async stop(id) {
      await wantStopped(pool, id)
      noteWritten(id)
    },
    async delete(id) {
      await eraseInstance(pool, id)
      noteWritten(id)
    },
    instancesToConnect: (shards) => readInstancesToConnect(pool, shards),
    admit: (id) => admitInstance(pool, id, options.instancesMax),
    forget: (instances) => tokens.forget(instances),
    noteWritten,
  }

  async function update(id: InstanceId, fields: EditableFields): Promise<InstanceRow | null> {
    const row = await updateInstance(pool, id, fields)
    noteWritten(id)
    return row
  }

  function noteWritten(id: InstanceId): void {
    tokens.forget([id])
    options.onWritten?.(id)
  }
}

interface EditableFields {
  readonly name?: string
  readonly adminField01?: string
  readonly adminField02?: string
}

async function createInstance(
  pool: pg.Pool,
  input: Parameters<InstanceDirectory['create']>[0],
  onCreated: TokenKeeper | undefined,
): Promise<{ instance: InstanceRow; token: string }> {
  // Reads the row within the transaction. A failure after the commit would tell the caller that nothing was done.
  return await inTransaction(pool, async (client) => {
    const { id, token } = await insertInstance(client, input)
    await onCreated?.(client, id, token)
    const instance = await readInstance(client, id)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance, token }
  })
}

/** Writes the rows of a new instance, within a transaction. Only this answer has its token. */
export async function insertInstance(
  client: pg.PoolClient,
  input: Parameters<InstanceDirectory['create']>[0],
  token = newToken(),
): Promise<{ id: InstanceId; token: string }> {
  const id = newInstanceId()
  const texts = [input.name, input.systemName, input.adminField01, input.adminField02].map(clean)
  await client.query(CREATE, [id, ...texts, hashOfToken(token), changedTags([], { tags: input.tags ?? [] })])
  await client.query(CREATE_SEQUENCE, [id])
  return { id, token }
}

async function updateInstance(pool: pg.Pool, id: InstanceId, fields: EditableFields): Promise<InstanceRow | null> {
  const texts = [fields.name, fields.adminField01, fields.adminField02]
  return await runInTransaction(id, pool, async (client) => {
    await client.query(UPDATE, [id, ...texts.map((text) => (text === undefined ? null : clean(text)))])
    return await readInstance(client, id)
  })
}

/** Locks the row, so that two changes at once do not give one name to two fields. */
async function changeFieldsMap(pool: pg.Pool, id: InstanceId, set: FieldsMap): Promise<InstanceRow | null> {
  return await runInTransaction(id, pool, async (client) => {
    const [row] = (await client.query<{ fields_map: string }>(LOCK_FIELDS_MAP, [id])).rows
    if (row === undefined) return null
    const after = changedFieldsMap(JSON.parse(row.fields_map) as FieldsMap, set)
    await client.query(SET_FIELDS_MAP, [id, JSON.stringify(after)])
    return await readInstance(client, id)
  })
}

async function changeDefaultCountry(pool: pg.Pool, id: InstanceId, country: string): Promise<InstanceRow | null> {
  return await runInTransaction(id, pool, async (client) => {
    await client.query(SET_DEFAULT_COUNTRY, [id, country])
    return await readInstance(client, id)
  })
}

/** Locks the row, so that two changes at once both remain. */
async function changeTags(pool: pg.Pool, id: InstanceId, change: TagChange): Promise<InstanceRow | null> {
  return await runInTransaction(id, pool, async (client) => {
    const [row] = (await client.query<{ tags: string[] }>(LOCK_TAGS, [id])).rows
    if (row === undefined) return null
    await client.query(SET_TAGS, [id, changedTags(row.tags, change)])
    return await readInstance(client, id)
  })
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Makes an id: `i` and 15 lower-case letters or digits, 77 bits. */
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

/** Removes NUL, which PostgreSQL refuses in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}

// Reads the history of the connection of an instance.

interface Row {
  readonly at: Date
  readonly status: ConnectionEntry['status']
  readonly state: string
  readonly cause: string
  readonly code: number
  readonly reason: string
  readonly node: string
}

// $1 instance   $2 rows
const READ = `
  SELECT at, status, state, cause, code, reason, node FROM connection_history WHERE instance_id = $1
  ORDER BY position DESC LIMIT $2`

/** Returns the newest entries, newest first. */
async function readConnections(
  pool: pg.Pool,
  instance: InstanceId,
  limit: number,
): Promise<readonly ConnectionEntry[]> {
  return (await pool.query<Row>(READ, [instance, limit])).rows
}
