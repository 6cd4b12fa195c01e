/**
 * Tokens of administrators: those that were made here, and the ADMIN_TOKEN with which the node was started, for as long as it
 * has not been rotated away. The store has hashes; each node keeps them in memory for some seconds, and hints drop them.
 */
import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { AdminTokens } from '../../schemas/ports/access.js'
import { inTransaction } from './in-transaction.js'

export interface AdminTokenOptions {
  readonly pool: pg.Pool
  /** ADMIN_TOKEN. */
  readonly own: string
  /** The id of the installation. */
  readonly salt: string
  /** Tokens were made or ended here. */
  readonly onWritten: () => void
  /** Time for which they may be taken from memory. After it, a change on another node is noticed even if its hint is lost. */
  readonly cacheMs?: number
}

export interface KeptAdminTokens extends AdminTokens {
  /** Makes ADMIN_TOKEN known, so that it can be ended. False: it was rotated away, and opens nothing. */
  open(): Promise<boolean>
  /** Another node has made or ended some. */
  forget(): void
  /** Returns what is stored of a token that has not ended; null when it is none. */
  storedHash(token: string): Promise<Buffer | null>
}

interface Known {
  readonly name: string
  readonly hash: Buffer
  /** Value of the row. */
  readonly stored: Buffer
  /** By `performance.now()`, so that no clock of a node counts; infinite when it has no end. */
  readonly endsMs: number
}

const LIST = `
  SELECT hash, source, (extract(epoch FROM ends - clock_timestamp()) * 1000)::float8 AS left_ms
  FROM admin_token WHERE ends IS NULL OR ends > clock_timestamp()`
const END_OTHERS = `
  UPDATE admin_token SET ends = least(ends, clock_timestamp() + $1 * interval '1 millisecond')
  RETURNING ends`

export function createAdminTokens({ pool, own, salt, onWritten, cacheMs = 5_000 }: AdminTokenOptions): KeptAdminTokens {
  const ownHash = hashToken(own)
  // People choose it: what is kept of it must not tell a short one to who reads the database.
  const ownName = scryptSync(own, salt, 32)
  let kept: { readonly tokens: readonly Known[]; readonly untilMs: number } | undefined
  let reading: Promise<readonly Known[]> | undefined
  let forgets = 0

  return {
    async open() {
      await pool.query("INSERT INTO admin_token (hash, source) VALUES ($1, 'environment') ON CONFLICT DO NOTHING", [
        ownName,
      ])
      return findToken(ownHash, await read()) !== null
    },

    async identify(token) {
      return findToken(hashToken(token), await known())?.name ?? null
    },

    async storedHash(token) {
      return findToken(hashToken(token), await known())?.stored ?? null
    },

    async rotate(graceMs) {
      const token = randomBytes(32).toString('base64url')
      const othersEnd = await inTransaction(pool, async (client) => {
        // If two are rotated at once, the later ends the token that the earlier has made.
        await client.query('LOCK TABLE admin_token IN SHARE ROW EXCLUSIVE MODE')
        const { rows } = await client.query<{ ends: Date }>(END_OTHERS, [graceMs])
        await client.query("INSERT INTO admin_token (hash, source) VALUES ($1, 'rotated')", [hashToken(token)])
        return new Date(Math.max(...rows.map(({ ends }) => ends.getTime())))
      })
      forget()
      onWritten()
      return { token, othersEnd }
    },

    forget,
  }

  function forget(): void {
    forgets += 1
    kept = undefined
    reading = undefined
  }

  async function known(): Promise<readonly Known[]> {
    if (kept !== undefined && kept.untilMs > performance.now()) return kept.tokens
    reading ??= read().finally(() => {
      reading = undefined
    })
    return await reading
  }

  async function read(): Promise<readonly Known[]> {
    const before = forgets
    const { rows } = await pool.query<{ hash: Buffer; source: string; left_ms: number | null }>(LIST)
    const nowMs = performance.now()
    const tokens = rows.flatMap(({ hash, source, left_ms: leftMs }) => {
      const endsMs = leftMs === null ? Number.POSITIVE_INFINITY : nowMs + leftMs
      if (source === 'rotated') return [{ name: hash.toString('hex', 0, 6), hash, stored: hash, endsMs }]
      return hash.equals(ownName) ? [{ name: 'ADMIN_TOKEN', hash: ownHash, stored: hash, endsMs }] : []
    })
    // If the tokens were forgotten during the read, the result may be outdated.
    if (before === forgets) kept = { tokens, untilMs: nowMs + cacheMs }
    return tokens
  }
}

/** Compares with all of them, so that the time tells nothing. */
function findToken(hash: Buffer, tokens: readonly Known[]): Known | null {
  const nowMs = performance.now()
  let known: Known | null = null
  for (const token of tokens) if (timingSafeEqual(token.hash, hash) && token.endsMs > nowMs) known = token
  return known
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
