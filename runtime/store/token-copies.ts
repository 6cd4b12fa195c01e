/**
 * Sealed copies of instances' tokens, for webhooks that carry them. Everywhere else a token is known by its hash, so that nobody who reads the
 * database can act for an account; with copies, nobody who has the database alone.
 */
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { entriesMax } from '../../lib/entries-max.js'
import type { InstanceId } from '../../schemas/ids.js'
import { dialectTokenPlace } from './dialect-instances.js'
import type { Encryption } from './encryption.js'
import { hashOfToken } from './instance-tokens.js'

export interface TokenCopies {
  /** True if the operator wants copies. */
  readonly areKept: boolean
  /** Keeps a copy of a new token, in the transaction that makes it. Without `areKept` it deletes the former one. */
  keep(client: pg.PoolClient, instance: InstanceId, token: string): Promise<void>
  /** Returns the token of an instance; null if there is no copy of the present one. A rotation elsewhere is noticed after 5 s. */
  read(instance: InstanceId): Promise<string | null>
}

// $1 instance   $2 hash   $3 token
const KEEP = `
  INSERT INTO instance_token_copy (instance_id, token_hash, sealed) VALUES ($1, $2, $3)
  ON CONFLICT (instance_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, sealed = EXCLUDED.sealed`
// $1 instance
const FORGET = 'DELETE FROM instance_token_copy WHERE instance_id = $1'
// $1 instance
const READ = `
  SELECT c.sealed FROM instance_token_copy AS c JOIN instance AS i ON i.id = c.instance_id AND i.token_hash = c.token_hash
  WHERE c.instance_id = $1`

// An instance that was made by a dialect has a copy of its own.
// $1 instance
const READ_OF_DIALECT = `
  SELECT d.dialect, d.token, i.token_hash FROM dialect_instance AS d JOIN instance AS i ON i.id = d.instance_id
  WHERE d.instance_id = $1 AND d.token IS NOT NULL`

const COPIES_MAX = 20_000
const CACHE_MS = 5_000

export function createTokenCopies(pool: pg.Pool, encryption: Encryption, areKept: boolean): TokenCopies {
  // An empty text stands for no copy.
  const known = new LRUCache<InstanceId, string>({ ...entriesMax(COPIES_MAX), ttl: CACHE_MS })
  const ofDialect = async (instance: InstanceId): Promise<string> => {
    const { rows } = await pool.query<{ dialect: string; token: Buffer; token_hash: Buffer }>(READ_OF_DIALECT, [
      instance,
    ])
    const tokens = rows.map((row) => ({
      token: encryption.open(row.token, ...dialectTokenPlace(instance, row.dialect)).toString(),
      hash: row.token_hash,
    }))
    return tokens.find(({ token, hash }) => hashOfToken(token).equals(hash))?.token ?? ''
  }
  return {
    areKept,
    async keep(client, instance, token) {
      known.delete(instance)
      if (!areKept) {
        await client.query(FORGET, [instance])
        return
      }
      const sealed = encryption.seal(Buffer.from(token), instance, 'token')
      await client.query(KEEP, [instance, hashOfToken(token), sealed])
    },
    async read(instance) {
      if (!areKept) return null
      const cached = known.get(instance)
      if (cached !== undefined) return cached || null
      const [row] = (await pool.query<{ sealed: Buffer }>(READ, [instance])).rows
      const token =
        row === undefined ? await ofDialect(instance) : encryption.open(row.sealed, instance, 'token').toString()
      known.set(instance, token)
      return token || null
    },
  }
}
