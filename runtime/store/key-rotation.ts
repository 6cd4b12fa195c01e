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

export interface KeyRotation {
  /** One pass over everything; safe beside writers and on several nodes at once. */
  run(): Promise<KeyRotationResult>
  /** A pass in the background, tried again while the database is away. */
  start(): void
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
const RETRY_MS = 60_000

export function createKeyRotation({ pool, encryption, log, pageRows = 500 }: KeyRotationOptions): KeyRotation {
  const ended = new AbortController()
  let running: Promise<void> | undefined

  return {
    run,
    start() {
      running = inBackground()
    },
    async close() {
      ended.abort()
      await running
    },
  }

  async function inBackground(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const result = await run()
        if (ended.signal.aborted) return
        if (result.unopened > 0) log.error(result, 'some values open under none of the encryption keys')
        else log.info(result, 'everything is sealed under the present encryption key; ENCRYPTION_KEYS_OLD may be unset')
        return
      } catch (error) {
        log.warn({ err: error }, 'values could not be sealed under the present encryption key; tried again soon')
        await pause(RETRY_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {})
      }
    }
  }

  async function run(): Promise<KeyRotationResult> {
    let [resealed, unopened] = [0, 0]
    for (const sealed of SEALED) {
      let after: readonly string[] | null = null
      do {
        const page = await reseal(sealed, after)
        resealed += page.resealed
        unopened += page.unopened
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
      [Buffer.from(encryption.keyId, 'hex'), ...(after ?? [])],
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
