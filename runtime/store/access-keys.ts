/** Keys of instances: tokens that may do a part of what the instance's own may, until they end. Only their hashes are stored. */
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { AccessKeys, KeyRow } from '../../schemas/ports/access.js'
import type { Scope } from '../../schemas/ports/instances.js'
import { runInTransaction, writeOnce } from './in-transaction.js'

export interface AccessKeyOptions {
  readonly pool: pg.Pool
  /** A key was made or revoked: what is kept in memory of the instance's tokens is outdated. */
  readonly onWritten: (instance: InstanceId) => void
}

const KEYS_MAX = 100

interface Row {
  id: string
  name: string
  scopes: string[]
  chat: string | null
  created: Date
  ends: Date | null
}

const COLUMNS = 'id, name, scopes, chat, created, ends'
const LIST = `
  SELECT ${COLUMNS} FROM access_key WHERE instance_id = $1 AND kind = 'key' AND (ends IS NULL OR ends > clock_timestamp())
  ORDER BY created, id`
const INSERT = `
  INSERT INTO access_key (instance_id, id, hash, kind, name, scopes, chat, ends)
  VALUES ($1, $2, $3, 'key', $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')
  RETURNING ${COLUMNS}`
const DELETE = `DELETE FROM access_key WHERE instance_id = $1 AND id = $2 AND kind = 'key'`

export function createAccessKeys({ pool, onWritten }: AccessKeyOptions): AccessKeys {
  return {
    async create(instance, { name, scopes, chat, lifeMs }) {
      const id = randomBytes(4).toString('hex')
      const token = `${formatPrefix(id)}_${randomBytes(32).toString('base64url')}`
      const hash = createHash('sha256').update(token).digest()
      return await runInTransaction(instance, pool, async (client) => {
        // One at a time, so that many at once do not make too many.
        const known = await client.query('SELECT FROM instance WHERE id = $1 FOR UPDATE', [instance])
        if (known.rowCount === 0) throw new GatewayError('INSTANCE_NOT_FOUND')
        const { rowCount } = await client.query(LIST, [instance])
        if ((rowCount ?? 0) >= KEYS_MAX) throw new GatewayError('TOO_MANY_KEYS')
        const values = [instance, id, hash, name.replaceAll('\0', ''), scopes, chat, lifeMs]
        const { rows } = await client.query<Row>(INSERT, values)
        return { key: toKey(rows[0] as Row), token }
      })
    },

    async list(instance) {
      const { rows } = await pool.query<Row>(LIST, [instance])
      return rows.map(toKey)
    },

    async revoke(instance, id) {
      const { rowCount } = await writeOnce(pool, DELETE, [instance, id])
      if (rowCount === 0) throw new GatewayError('KEY_NOT_FOUND')
      onWritten(instance)
    },
  }
}

function formatPrefix(id: string): string {
  return `phk_${id}`
}

function toKey({ id, name, scopes, chat, created, ends }: Row): KeyRow {
  return { id, name, prefix: formatPrefix(id), scopes: scopes as Scope[], chat: chat as Jid | null, created, ends }
}
