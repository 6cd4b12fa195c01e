/** Instances under the names of a dialect: rows in SQL, with a short memory on each node. */
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { entriesMax } from '../../lib/entries-max.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DialectFacts, DialectInstance, DialectInstances, DialectName } from '../../schemas/ports/dialects.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import type { Encryption } from './encryption.js'
import { inTransaction } from './in-transaction.js'
import { type Queries, readInstance } from './instance-rows.js'
import { hashOfToken } from './instance-tokens.js'
import { insertInstance } from './instances.js'

// Bound: 10,000, settings of an instance.

interface Row {
  readonly instance_id: string
  readonly name: string
  readonly token: Buffer | null
  readonly settings: string
  readonly created: Date
  readonly updated: Date
}

const REMEMBERED_MAX = 10_000
const REMEMBERED_MS = 5_000
const UNIQUE_VIOLATION = '23505'

const COLUMNS = 'instance_id, name, token, settings, created, updated'
// $1 dialect   $2 name
const BY_NAME = `SELECT ${COLUMNS} FROM dialect_instance WHERE dialect = $1 AND name = $2`
// An instance that the dialect knows under another name is not found by its own.
// $1 dialect   $2 name
const BY_OWN_NAME = `
  SELECT id FROM instance AS i WHERE name = $2
    AND NOT EXISTS (SELECT FROM dialect_instance AS d WHERE d.dialect = $1 AND d.instance_id = i.id) LIMIT 2`
// $1 dialect   $2 instance
const BY_INSTANCE = `SELECT ${COLUMNS} FROM dialect_instance WHERE dialect = $1 AND instance_id = $2`
// $1 dialect
const LIST = `SELECT ${COLUMNS} FROM dialect_instance WHERE dialect = $1 ORDER BY created, instance_id`
// $1 hash
const KNOWN_TOKEN = `
  SELECT FROM instance WHERE token_hash = $1 UNION ALL SELECT FROM access_key WHERE hash = $1
  UNION ALL SELECT FROM admin_token WHERE hash = $1`
// $1 instance   $2 dialect   $3 name   $4 sealed token   $5 settings
const INSERT = `
  INSERT INTO dialect_instance (instance_id, dialect, name, token, settings) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`
// $1 dialect   $2 instance   $3 settings
const UPDATE = `
  UPDATE dialect_instance SET settings = $3, updated = now() WHERE dialect = $1 AND instance_id = $2 RETURNING ${COLUMNS}`

/** Texts to which the sealed token of an instance is bound. */
export function dialectTokenPlace(instance: string, dialect: string): [string, string, string] {
  return [instance, 'dialect', dialect]
}

export function createDialectInstances(pool: pg.Pool, encryption: Encryption): DialectInstances {
  const remembered = new LRUCache<string, { readonly facts: DialectFacts | null }>({
    ...entriesMax(REMEMBERED_MAX),
    ttl: REMEMBERED_MS,
  })
  const factsFrom = (dialect: DialectName, row: Row): DialectFacts => ({
    instance: row.instance_id as InstanceId,
    name: row.name,
    token:
      row.token === null ? null : encryption.open(row.token, ...dialectTokenPlace(row.instance_id, dialect)).toString(),
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    created: row.created,
    updated: row.updated,
  })

  return {
    async find(dialect, name) {
      const [known] = (await pool.query<Row>(BY_NAME, [dialect, name])).rows
      if (known !== undefined) return await withRow(pool, factsFrom(dialect, known))
      const own = (await pool.query<{ id: InstanceId }>(BY_OWN_NAME, [dialect, name])).rows
      const row = own.length === 1 && own[0] !== undefined ? await readInstance(pool, own[0].id) : null
      return row === null ? null : { row, facts: null }
    },

    async readFacts(dialect, instance) {
      const key = `${dialect} ${instance}`
      const known = remembered.get(key)
      if (known !== undefined) return known.facts
      const [row] = (await pool.query<Row>(BY_INSTANCE, [dialect, instance])).rows
      const facts = row === undefined ? null : factsFrom(dialect, row)
      remembered.set(key, { facts })
      return facts
    },

    async list(dialect) {
      return (await pool.query<Row>(LIST, [dialect])).rows.map((row) => factsFrom(dialect, row))
    },

    async create(dialect, { name, token: given, settings }) {
      const made = await named(() =>
        inTransaction(pool, async (client) => {
          if (given !== undefined) await refuseKnownToken(client, given)
          const fields = { name, systemName: 'Posthorn', adminField01: '', adminField02: '' }
          const { id, token } = await insertInstance(client, fields, given)
          const sealed = encryption.seal(Buffer.from(token), ...dialectTokenPlace(id, dialect))
          const { rows } = await client.query<Row>(INSERT, [id, dialect, name, sealed, JSON.stringify(settings)])
          return { row: await readInstance(client, id), facts: factsFrom(dialect, rows[0] as Row) }
        }),
      )
      if (made.row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
      return { row: made.row, facts: made.facts }
    },

    async change(dialect, { id, name }, settings) {
      const facts = await named(() =>
        inTransaction(pool, async (client) => {
          const [known] = (await client.query<Row>(`${BY_INSTANCE} FOR UPDATE`, [dialect, id])).rows
          const all = { ...(known === undefined ? {} : factsFrom(dialect, known).settings), ...settings }
          const values = known === undefined ? [id, dialect, name, null] : [dialect, id]
          const statement = known === undefined ? INSERT : UPDATE
          const { rows } = await client.query<Row>(statement, [...values, JSON.stringify(all)])
          return factsFrom(dialect, rows[0] as Row)
        }),
      )
      remembered.set(`${dialect} ${id}`, { facts })
      return facts
    },
  }
}

async function withRow(queries: Queries, facts: DialectFacts): Promise<DialectInstance | null> {
  const row: InstanceRow | null = await readInstance(queries, facts.instance)
  return row === null ? null : { row, facts }
}

/** @throws GatewayError NAME_TAKEN */
async function refuseKnownToken(client: pg.PoolClient, token: string): Promise<void> {
  const { rowCount } = await client.query(`${KNOWN_TOKEN} LIMIT 1`, [hashOfToken(token)])
  if ((rowCount ?? 0) > 0) throw taken('token', 'opens something else already')
}

/** Does work that gives a name. @throws GatewayError NAME_TAKEN */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== UNIQUE_VIOLATION) throw error
    throw constraint === 'instance_token_hash'
      ? taken('token', 'opens something else already')
      : taken('name', 'is in use')
  }
}

function taken(field: string, why: string): GatewayError {
  return new GatewayError('NAME_TAKEN', { message: `The ${field} ${why}.`, details: [{ field, why }] })
}

// $1 instance
const DIALECTS_OF = 'SELECT dialect FROM dialect_instance WHERE instance_id = $1 AND token IS NOT NULL'
// $1 dialect   $2 instance   $3 sealed token
const SET_TOKEN = 'UPDATE dialect_instance SET token = $3 WHERE dialect = $1 AND instance_id = $2'

/** Replaces the copies of a token that was rotated, within the same transaction. */
export async function keepRotatedToken(
  client: Queries,
  encryption: Encryption,
  id: InstanceId,
  token: string,
): Promise<void> {
  for (const { dialect } of (await client.query<{ dialect: string }>(DIALECTS_OF, [id])).rows)
    await client.query(SET_TOKEN, [dialect, id, encryption.seal(Buffer.from(token), ...dialectTokenPlace(id, dialect))])
}
