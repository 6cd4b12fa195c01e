/** Seals again, under the present encryption key, what lies under an old one; after it the old key may go. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { bytesArray, textArray } from './arrays.js'
import type { Encryption } from './encryption.js'

export interface KeyRotationOptions {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  readonly log: Logger
  readonly pageRows?: number
}

export interface KeyRotationResult {
  readonly resealed: number
  /** Values that none of the keys opens; they are left as they are. */
  readonly unopened: number
}

export interface KeyRotationProgress {
  /** Values under another key than the present one; null before they were counted here. */
  readonly left: number | null
  /** Since the start. */
  readonly resealed: number
}

export interface KeyRotation {
  /** One pass over everything; safe beside writers and on several nodes at once. */
  run(): Promise<KeyRotationResult>
  /**
   * Passes in the background, on one node at a time, until one has found nothing; then seldom ones, since a node that was started with the
   * former key may still write under it.
   */
  start(): void
  readonly progress: KeyRotationProgress
  /** Waits for the page under way. */
  close(): Promise<void>
}

interface Sealed {
  readonly table: string
  readonly column: string
  readonly keys: readonly string[]
  readonly types: readonly string[]
  /** What the value is bound to, of the row's keys and `extra`. */
  readonly place: (...parts: string[]) => string[]
  readonly extra?: string
}

const SEALED: readonly Sealed[] = [
  {
    table: 'instance_credentials',
    column: 'data',
    keys: ['instance_id'],
    types: ['text'],
    place: (instance = '') => [instance, 'credentials'],
  },
  {
    table: 'signal_key',
    column: 'data',
    keys: ['instance_id', 'kind', 'id'],
    types: ['text', 'text', 'text'],
    place: (...parts) => parts,
  },
  { table: 'webhook', column: 'secret', keys: ['id'], types: ['uuid'], place: (id = '') => ['webhook', id] },
  {
    table: 'message',
    column: 'proto',
    keys: ['instance_id', 'id'],
    types: ['text', 'text'],
    extra: '"messageid"',
    place: (instance = '', _id = '', messageid = '') => [instance, 'proto', messageid],
  },
]

/** Between two pages, so that a pass takes a small part of the database only. */
const PAGE_PAUSE_MS = 20
const AGAIN_MS = 60_000
const LOOK_AGAIN_MS = 60 * 60_000
const COUNT_TIMEOUT_MS = 60 * 60_000
/** 'seal' in ASCII: one pass at a time in the whole installation. */
const PASS_LOCK = 0x7365616c

export function createKeyRotation({ pool, encryption, log, pageRows = 500 }: KeyRotationOptions): KeyRotation {
  const ended = new AbortController()
  const present = Buffer.from(encryption.keyId, 'hex')
  let running: Promise<void> | undefined
  let left: number | null = null
  let resealedSinceStart = 0

  return {
    run,
    start() {
      running = inBackground()
    },
    get progress() {
      return { left, resealed: resealedSinceStart }
    },
    async close() {
      ended.abort()
      await running
    },
  }

  async function inBackground(): Promise<void> {
    while (!ended.signal.aborted) {
      let isClean = false
      try {
        isClean = await passAlone()
      } catch (error) {
        log.warn({ err: error }, 'values could not be sealed under the present encryption key; tried again soon')
      }
      if (ended.signal.aborted) return
      const waitMs = (isClean ? LOOK_AGAIN_MS : AGAIN_MS) * (0.9 + Math.random() / 10)
      await pause(waitMs, undefined, { signal: ended.signal, ref: false }).catch(() => {})
    }
  }

  /** Whether nothing is left; false too when another node is at it. */
  async function passAlone(): Promise<boolean> {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [PASS_LOCK])
      if (!rows[0]?.ours) return false
      const result = await run()
      await client.query('SELECT pg_advisory_unlock($1)', [PASS_LOCK])
      if (ended.signal.aborted) return false
      const isClean = (await countLeft()) === 0
      if (result.unopened > 0) log.error(result, 'some values open under none of the encryption keys')
      else if (isClean)
        log.info(
          result,
          'everything is sealed under the present encryption key; where all nodes have it, ENCRYPTION_KEYS_OLD may be unset',
        )
      return isClean
    } finally {
      // With the connection the lock ends, whatever happened.
      client.release(true)
    }
  }

  async function countLeft(): Promise<number> {
    let count = 0
    for (const { table, column } of SEALED) {
      const { rows } = await pool.query<{ count: number }>({
        text: `SELECT count(*) AS count FROM ${table} WHERE substring(${column} FROM 2 FOR 4) <> $1`,
        values: [present],
        // A look at a whole table takes longer than any call may.
        query_timeout: COUNT_TIMEOUT_MS,
      } as pg.QueryConfig)
      count += rows[0]?.count ?? 0
    }
    left = count
    return count
  }

  async function run(): Promise<KeyRotationResult> {
    let [resealed, unopened] = [0, 0]
    if ((await countLeft()) === 0) return { resealed, unopened }
    for (const sealed of SEALED) {
      let after: readonly string[] | null = null
      do {
        const page = await reseal(sealed, after)
        resealed += page.resealed
        unopened += page.unopened
        resealedSinceStart += page.resealed
        left = Math.max(0, (left ?? 0) - page.resealed)
        after = page.last
        if (after !== null) await pause(PAGE_PAUSE_MS)
      } while (after !== null && !ended.signal.aborted)
    }
    return { resealed, unopened }
  }

  async function reseal(
    { table, column, keys, types, place, extra }: Sealed,
    after: readonly string[] | null,
  ): Promise<KeyRotationResult & { last: readonly string[] | null }> {
    const list = keys.join(', ')
    const parameters = types.map((type, index) => `$${index + 2}::${type}`).join(', ')
    const { rows } = await pool.query<{ parts: string[]; stale: Buffer | null }>(
      `SELECT ARRAY[${[...keys, ...(extra === undefined ? [] : [extra])].map((key) => `${key}::text`).join(', ')}] AS parts,
         CASE WHEN substring(${column} FROM 2 FOR 4) <> $1 THEN ${column} END AS stale
       FROM ${table} ${after === null ? '' : `WHERE (${list}) > (${parameters})`}
       ORDER BY ${list} LIMIT ${pageRows}`,
      [present, ...(after ?? [])],
    )
    const fresh: { parts: string[]; old: Buffer; now: Buffer }[] = []
    let unopened = 0
    for (const { parts, stale } of rows) {
      if (stale === null) continue
      try {
        const now = encryption.seal(encryption.open(stale, ...place(...parts)), ...place(...parts))
        fresh.push({ parts, old: stale, now })
      } catch {
        unopened += 1
      }
    }
    if (fresh.length > 0) {
      // What a writer replaced meanwhile is under the present key already, and newer.
      await pool.query(
        `UPDATE ${table} AS t SET ${column} = u.now
         FROM unnest(${keys.map((_, index) => `$${index + 3}::text[]`).join(', ')}, $1::bytea[], $2::bytea[])
           AS u(${keys.map((_, index) => `key_${index}`).join(', ')}, old, now)
         WHERE ${keys.map((key, index) => `t.${key} = u.key_${index}::${types[index]}`).join(' AND ')} AND t.${column} = u.old`,
        [
          bytesArray(fresh.map(({ old }) => old)),
          bytesArray(fresh.map(({ now }) => now)),
          ...keys.map((_, index) => textArray(fresh.map(({ parts }) => parts[index]))),
        ],
      )
    }
    const last = rows.length === pageRows ? (rows.at(-1)?.parts.slice(0, keys.length) ?? null) : null
    return { resealed: fresh.length, unopened, last }
  }
}
