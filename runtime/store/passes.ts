/**
 * Passes: short-lived tokens with the rights of the token from which they were made. Only their hashes are stored. Each look-up asks
 * PostgreSQL, whose clock alone counts, so that a pass which was ended, or whose parent was, is refused by every node at once.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import {
  CODE_PREFIX,
  PAIRING_CODE_PREFIX,
  PAIRING_PREFIX,
  PASS_PREFIX,
  type PassAccess,
  type Passes,
  type PassParent,
  type PassRow,
} from '../../schemas/ports/access.js'
import type { KeyGrant, Scope } from '../../schemas/ports/instances.js'
import { inTransaction } from './in-transaction.js'
import { readInstance } from './instance-rows.js'
import { formatCursor, parseCursor, TIME_FORM, timeText } from './page-cursor.js'

export interface PassOptions {
  readonly pool: pg.Pool
  /** Returns what is stored of an administrator's token; null when it opens nothing. */
  readonly adminTokenHash: (token: string) => Promise<Buffer | null>
}

interface StoredPass {
  readonly id: string
  readonly hash: Buffer
  readonly instance_id: string | null
  readonly is_code: boolean
  readonly is_pairing: boolean
  readonly parent_kind: PassRow['openedBy']
  readonly parent_hash: Buffer
  readonly parent_pass: string | null
  readonly actor: string
  readonly created: Date
  readonly idle_ends: Date
  readonly ends: Date
}

interface FoundPass extends StoredPass {
  /** Time by which a use now would move the idle end. */
  readonly gain_ms: number
  readonly key_id: string | null
  readonly scopes: string[] | null
  readonly chat: string | null
}

const IDLE_MS = 30 * 60_000
const LIFE_MS = 12 * 60 * 60_000
/** Life of a pass that only pairs. */
const PAIRING_LIFE_MS = 15 * 60_000
/** A use moves the idle end, but is written only this long after the last one. */
const TOUCH_MS = 60_000
/** Maximum of passes at once from one token or key, and from one administrator's token. */
const PASSES_MAX = 20
const ADMIN_PASSES_MAX = 1_000
const ENDED_AT_ONCE = 500

const COLUMNS =
  'p.id, p.hash, p.instance_id, p.is_code, p.is_pairing, p.parent_kind, p.parent_hash, p.parent_pass, p.actor, p.created, p.idle_ends, p.ends'
/** Condition on the pass `p`: neither it nor its parents have ended. */
const IS_LIVE = `p.idle_ends > clock_timestamp()
  AND (p.parent_pass IS NULL OR EXISTS (SELECT FROM pass AS q WHERE q.id = p.parent_pass AND q.idle_ends > clock_timestamp()))
  AND CASE WHEN p.parent_kind = 'admin'
    THEN EXISTS (SELECT FROM admin_token AS a WHERE a.hash = p.parent_hash AND (a.ends IS NULL OR a.ends > clock_timestamp()))
    ELSE EXISTS (SELECT FROM instance AS i WHERE i.id = p.instance_id AND i.token_hash = p.parent_hash)
      OR EXISTS (SELECT FROM access_key AS k WHERE k.instance_id = p.instance_id AND k.hash = p.parent_hash
        AND (k.ends IS NULL OR k.ends > clock_timestamp()))
    END`
// $1 SHA-256 of the pass or code   $2 milliseconds of idleness   $3 whether it is a code
const BY_HASH = `
  SELECT ${COLUMNS}, k.id AS key_id, k.scopes, k.chat,
    (extract(epoch FROM least(p.ends, clock_timestamp() + $2::float8 * interval '1 millisecond') - p.idle_ends) * 1000)::float8 AS gain_ms
  FROM pass AS p LEFT JOIN access_key AS k
    ON p.parent_kind = 'key' AND k.instance_id = p.instance_id AND k.hash = p.parent_hash AND k.kind = 'key'
  WHERE p.hash = $1 AND p.is_code = $3 AND ${IS_LIVE}`
// The pass with which it was made goes on too: it must not end before this one. So both get the same time, and neither gets an earlier end
// from a use that waited for another one. Not a subquery, which a join may evaluate again for each row.
// $1 id   $2 the pass with which it was made   $3 milliseconds
const TOUCH = `
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now)
  UPDATE pass SET idle_ends = least(ends, greatest(idle_ends, now + $3::float8 * interval '1 millisecond'))
  FROM clock WHERE id IN ($1, $2) AND idle_ends > now`
// $1 instance, null for all   $2 limit   $3 and $4 the time and id after which the page begins, or null
const LIST = `
  SELECT ${COLUMNS}, ${timeText('p.created')} AS place FROM pass AS p
  WHERE ($1::text IS NULL OR p.instance_id = $1) AND ($3::timestamptz IS NULL OR (p.created, p.id) < ($3, $4::text)) AND ${IS_LIVE}
  ORDER BY p.created DESC, p.id DESC LIMIT $2`
// $1 hash of the parent
const LOCK_PARENT = `SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))`
const DELETE_ENDED = `
  DELETE FROM pass WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM pass WHERE idle_ends <= clock_timestamp() LIMIT ${ENDED_AT_ONCE} FOR UPDATE SKIP LOCKED))`
// $1 hash of the parent
const COUNT = 'SELECT count(*)::int AS count FROM pass WHERE parent_hash = $1 AND idle_ends > clock_timestamp()'
// $1 id
const LOCK_PARENT_PASS = 'SELECT FROM pass WHERE id = $1 AND idle_ends > clock_timestamp() FOR SHARE'
// $1 id
const LOCK_INSTANCE = 'SELECT FROM instance WHERE id = $1 FOR KEY SHARE'
// $1 id, which only one caller deletes
const USE_CODE = 'DELETE FROM pass WHERE id = $1 AND is_code AND idle_ends > clock_timestamp() RETURNING parent_pass'
// $8 milliseconds of idleness   $9 milliseconds of life   $10 whether it is a code   $11 whether it only pairs
const INSERT = `
  INSERT INTO pass AS p (id, hash, instance_id, parent_kind, parent_hash, parent_pass, actor, is_code, is_pairing, idle_ends, ends)
  SELECT $1, $2, $3, $4, $5, $6, $7, $10::boolean, $11::boolean, least(e.ends, clock_timestamp() + $8::float8 * interval '1 millisecond'), e.ends
  FROM (SELECT least(clock_timestamp() + $9::float8 * interval '1 millisecond', (SELECT ends FROM pass WHERE id = $6)) AS ends) AS e
  RETURNING ${COLUMNS}`
// $1 id   $2 instance, null for any
const END = 'DELETE FROM pass WHERE id = $1 AND ($2::text IS NULL OR instance_id = $2)'
// $1 id
const END_CHILDREN = 'DELETE FROM pass WHERE parent_pass = $1'

export function createPasses(options: PassOptions): Passes {
  const { pool } = options
  return {
    async open(parent, instance, lifeMs) {
      if (parent.code?.isPairing === true)
        return await insert(PAIRING_PREFIX, parent, instance, Math.min(lifeMs ?? LIFE_MS, PAIRING_LIFE_MS))
      return await insert(PASS_PREFIX, parent, instance, lifeMs ?? LIFE_MS)
    },

    async openCode(parent, instance, lifeMs) {
      const { pass, token } = await insert(CODE_PREFIX, parent, instance, lifeMs)
      return { pass, code: token }
    },

    async openPairing(parent, instance, lifeMs) {
      const { pass, token } = await insert(PAIRING_CODE_PREFIX, parent, instance, Math.min(lifeMs, PAIRING_LIFE_MS))
      return { pass, code: token }
    },

    byCode: (code, kind) => find(pool, code, kind, true, false),

    byToken: (token, kind, isUse) => find(pool, token, kind, false, isUse),

    async list(instance, limit, cursor) {
      const after = cursor === undefined ? null : parseCursor(cursor, TIME_FORM)
      const values = [instance, limit + 1, after?.place, after?.id]
      const { rows } = await pool.query<StoredPass & { readonly place: string }>(LIST, values)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return { passes: shown.map(toPass), next: rows.length > limit && last !== undefined ? formatCursor(last) : null }
    },

    async end(id, instance) {
      await inTransaction(pool, async (client) => {
        if ((await client.query(END, [id, instance])).rowCount === 0) throw new GatewayError('PASS_NOT_FOUND')
        // A statement of its own sees a child that was made while this one waited for its lock.
        await client.query(END_CHILDREN, [id])
      })
    },
  }

  /** Inserts a pass or a code, by its prefix. */
  async function insert(prefix: string, parent: PassParent, instance: InstanceId | null, lifeMs: number) {
    const parentHash = await hashOfParent(options, parent)
    const id = randomBytes(6).toString('hex')
    const token = `${prefix}${id}_${randomBytes(32).toString('base64url')}`
    const pass = await inTransaction(pool, async (client) => {
      // One at a time, so that many at once do not make too many.
      await client.query(LOCK_PARENT, [parentHash])
      await client.query(DELETE_ENDED)
      const parentPass = await findParentPass(client, parent)
      await checkRoom(client, parent, parentHash)
      if (parentPass !== null && (await client.query(LOCK_PARENT_PASS, [parentPass])).rowCount === 0)
        throw endedParent(parent)
      if (instance !== null && (await client.query(LOCK_INSTANCE, [instance])).rowCount === 0)
        throw new GatewayError('INSTANCE_NOT_FOUND')
      const place = [id, hashToken(token), instance, parent.kind, parentHash, parentPass, parent.actor]
      const kinds = [
        prefix === CODE_PREFIX || prefix === PAIRING_CODE_PREFIX,
        prefix === PAIRING_PREFIX || prefix === PAIRING_CODE_PREFIX,
      ]
      const { rows } = await client.query<StoredPass>(INSERT, [...place, IDLE_MS, lifeMs, ...kinds])
      return toPass(rows[0] as StoredPass)
    })
    return { pass, token }
  }
}

async function find(
  pool: pg.Pool,
  token: string,
  kind: 'admin' | 'instance',
  isCode: boolean,
  isUse: boolean,
): Promise<PassAccess | null> {
  const tokenHash = hashToken(token)
  const [row] = (await pool.query<FoundPass>(BY_HASH, [tokenHash, IDLE_MS, isCode])).rows
  if (row === undefined || !timingSafeEqual(row.hash, tokenHash)) return null
  if ((row.instance_id === null) !== (kind === 'admin')) return null
  const instance = row.instance_id === null ? null : await readInstance(pool, row.instance_id as InstanceId)
  if (row.instance_id !== null && instance === null) return null
  if (isUse && row.gain_ms > TOUCH_MS) await pool.query(TOUCH, [row.id, row.parent_pass, IDLE_MS])
  return { pass: toPass(row), instance, key: toGrant(row) }
}

/** Returns the hash of the token from which all of this began: a pass or code has it stored. */
async function hashOfParent({ pool, adminTokenHash }: PassOptions, parent: PassParent): Promise<Buffer> {
  const { kind, token } = parent
  const stored = parent.pass ?? parent.code
  if (stored !== undefined) {
    const { rows } = await pool.query<StoredPass>('SELECT parent_hash FROM pass WHERE id = $1', [stored.id])
    if (rows[0] === undefined) throw endedParent(parent)
    return rows[0].parent_hash
  }
  if (kind !== 'admin') return hashToken(token)
  const known = await adminTokenHash(token)
  if (known === null) throw endedParent(parent)
  return known
}

/** Returns the pass with which a pass is made: of a code, which is used up, the one that made the code. Null: it was made with a token. */
async function findParentPass(client: pg.PoolClient, parent: PassParent): Promise<string | null> {
  if (parent.code === undefined) return parent.pass?.id ?? null
  const { rows } = await client.query<{ parent_pass: string | null }>(USE_CODE, [parent.code.id])
  if (rows[0] === undefined) throw endedParent(parent)
  return rows[0].parent_pass
}

function endedParent({ kind }: PassParent): GatewayError {
  return new GatewayError(kind === 'admin' ? 'INVALID_ADMIN_TOKEN' : 'INVALID_TOKEN')
}

async function checkRoom(client: pg.PoolClient, { kind }: PassParent, parentHash: Buffer): Promise<void> {
  const { rows } = await client.query<{ count: number }>(COUNT, [parentHash])
  if ((rows[0]?.count ?? 0) >= (kind === 'admin' ? ADMIN_PASSES_MAX : PASSES_MAX))
    throw new GatewayError('TOO_MANY_PASSES')
}

function toGrant({ id: passId, is_pairing, key_id: id, scopes, chat }: FoundPass): KeyGrant | null {
  if (is_pairing) return { id: passId, scopes: [], chat: null, onlyPairs: true }
  return id === null ? null : { id, scopes: (scopes ?? []) as Scope[], chat: chat as Jid | null }
}

function toPass({
  id,
  instance_id: instance,
  is_code: isCode,
  is_pairing: isPairing,
  parent_kind: openedBy,
  actor,
  created,
  idle_ends,
  ends,
}: StoredPass): PassRow {
  return {
    id,
    instance: instance as InstanceId | null,
    isCode,
    isPairing,
    openedBy,
    actor,
    created,
    idleEnds: idle_ends,
    ends,
  }
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
