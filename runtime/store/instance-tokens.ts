/** Tokens of instances: the instance's own, its former ones, and its keys. Only their hashes are stored. */
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { entriesMax } from '../../lib/entries-max.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { Access, KeyGrant, Scope } from '../../schemas/ports/instances.js'
import { runInTransaction } from './in-transaction.js'
import { readInstance, readInstanceOfToken, toRow } from './instance-rows.js'

interface KnownAccess {
  readonly access: Access
  /** By `performance.now()`; infinite when it has no end. */
  readonly endsMs: number
}

interface KeyOfInstance {
  readonly instance_id: string
  readonly id: string
  readonly hash: Buffer
  readonly kind: string
  readonly scopes: string[]
  readonly chat: string | null
  readonly left_ms: number | null
}

/** Keeps a copy of a new token, within the transaction that sets it. */
export type TokenKeeper = (client: pg.PoolClient, id: InstanceId, token: string) => Promise<void>

const TOKENS_MAX = 20_000
const CACHE_MAX_MS = 5_000

// The time left is by the clock of PostgreSQL, so that the nodes' own do not count.
// $1 SHA-256 of the token
const KEY_BY_HASH = `
  SELECT instance_id, id, hash, kind, scopes, chat, (extract(epoch FROM ends - clock_timestamp()) * 1000)::float8 AS left_ms
  FROM access_key WHERE hash = $1`
// $1 id
const LOCK_TOKEN = 'SELECT token_hash FROM instance WHERE id = $1 FOR UPDATE'
// $1 milliseconds
const END_OF_GRACE = `SELECT clock_timestamp() + $1::float8 * interval '1 millisecond' AS ends`
// $1 instance   $2 end
const END_FORMER = `UPDATE access_key SET ends = least(ends, $2::timestamptz) WHERE instance_id = $1 AND kind = 'former'`
// $1 instance   $2 key   $3 hash   $4 end
const ADD_FORMER = `INSERT INTO access_key (instance_id, id, hash, kind, ends) VALUES ($1, $2, $3, 'former', $4)`
// $1 id   $2 hash
const SET_TOKEN = 'UPDATE instance SET token_hash = $2, updated = now() WHERE id = $1'

/** Finds instances by their tokens, from memory where possible. */
export class InstanceTokens {
  readonly #pool: pg.Pool
  readonly #keep: TokenKeeper | undefined
  readonly #known: LRUCache<string, KnownAccess>
  readonly #tokensByInstance = new Map<string, Set<string>>()
  readonly #cacheMs: number
  /** Tokens that are read again before what is known of them gets too old. */
  readonly #renewing = new Set<string>()
  /** Number of calls of `forget`. */
  #forgets = 0

  /** @param cacheMs time in which a change on another node may go unnoticed; at most 5 s */
  constructor(pool: pg.Pool, cacheMs = CACHE_MAX_MS, keep?: TokenKeeper) {
    this.#pool = pool
    this.#keep = keep
    this.#cacheMs = Math.min(cacheMs, CACHE_MAX_MS)
    this.#known = new LRUCache<string, KnownAccess>({
      ...entriesMax(TOKENS_MAX),
      ttl: this.#cacheMs,
      dispose: ({ access }, token) => this.#forgetToken(access.instance.id, token),
    })
  }

  async byToken(token: string): Promise<Access | null> {
    const key = hash('sha256', token, 'base64')
    const cached = this.#known.get(key)
    // A row without an account is read each time: the next call may come just after the pairing.
    if (cached === undefined || cached.access.instance.owner === '') return await this.#read(key)
    if (this.#known.getRemainingTTL(key) < this.#cacheMs / 2) this.#renew(key)
    return isOver(cached) ? null : cached.access
  }

  async #read(key: string): Promise<Access | null> {
    const before = this.#forgets
    const tokenHash = Buffer.from(key, 'base64')
    const found = (await this.#byOwnToken(tokenHash)) ?? (await this.#byKey(tokenHash))
    // If the instance was forgotten during the read, the result may be outdated.
    if (found === null) this.#known.delete(key)
    else if (before === this.#forgets) this.#remember(key, found)
    return found === null || isOver(found) ? null : found.access
  }

  /** Reads a token again, so that calls of a caller who calls often wait for PostgreSQL only once. */
  #renew(key: string): void {
    if (this.#renewing.has(key)) return
    this.#renewing.add(key)
    this.#read(key)
      .catch(() => {})
      .finally(() => this.#renewing.delete(key))
  }

  /** Gives the instance a new token. Former tokens end after the grace time. @throws GatewayError INSTANCE_NOT_FOUND */
  async rotate(id: InstanceId, graceMs: number): Promise<{ token: string; formerEnds: Date }> {
    const token = newToken()
    const formerEnds = await runInTransaction(id, this.#pool, async (client) => {
      const [former] = (await client.query<{ token_hash: Buffer }>(LOCK_TOKEN, [id])).rows
      if (former === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
      const { rows } = await client.query<{ ends: Date }>(END_OF_GRACE, [graceMs])
      const ends = rows[0]?.ends ?? new Date()
      await client.query(END_FORMER, [id, ends])
      if (graceMs > 0) await client.query(ADD_FORMER, [id, randomUUID(), former.token_hash, ends])
      await client.query(SET_TOKEN, [id, hashOfToken(token)])
      await this.#keep?.(client, id, token)
      return ends
    })
    return { token, formerEnds }
  }

  /** Forgets what is known of these instances: their rows were changed. */
  forget(instances: Iterable<InstanceId> | 'all'): void {
    this.#forgets += 1
    if (instances === 'all') {
      this.#known.clear()
      return
    }
    for (const id of instances) {
      for (const token of [...(this.#tokensByInstance.get(id) ?? [])]) this.#known.delete(token)
    }
  }

  async #byOwnToken(tokenHash: Buffer): Promise<KnownAccess | null> {
    const row = await readInstanceOfToken(this.#pool, tokenHash)
    // The index finds by the hash of a random token, which tells nothing by its timing. The comparison is exact all the same.
    if (row === null || !timingSafeEqual(row.token_hash, tokenHash)) return null
    return { access: { instance: toRow(row), key: null }, endsMs: Number.POSITIVE_INFINITY }
  }

  async #byKey(tokenHash: Buffer): Promise<KnownAccess | null> {
    const [row] = (await this.#pool.query<KeyOfInstance>(KEY_BY_HASH, [tokenHash])).rows
    if (row === undefined || !timingSafeEqual(row.hash, tokenHash)) return null
    const instance = await readInstance(this.#pool, row.instance_id as InstanceId)
    if (instance === null) return null
    const grant: KeyGrant = { id: row.id, scopes: row.scopes as Scope[], chat: row.chat as Jid | null }
    return {
      access: { instance, key: row.kind === 'former' ? null : grant },
      endsMs: row.left_ms === null ? Number.POSITIVE_INFINITY : performance.now() + row.left_ms,
    }
  }

  #remember(token: string, found: KnownAccess): void {
    const { id } = found.access.instance
    this.#known.set(token, found)
    const tokens = this.#tokensByInstance.get(id) ?? new Set()
    this.#tokensByInstance.set(id, tokens.add(token))
  }

  #forgetToken(id: string, token: string): void {
    const tokens = this.#tokensByInstance.get(id)
    tokens?.delete(token)
    if (tokens?.size === 0) this.#tokensByInstance.delete(id)
  }
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

function isOver({ endsMs }: KnownAccess): boolean {
  return endsMs <= performance.now()
}
