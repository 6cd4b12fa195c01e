/** Seals values again, under the present encryption key, that are under an old one. After it the old key may be removed. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Encryption } from './encryption.js'
import {
  countStale,
  type Resealed,
  readSealedPage,
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
} from './sealed-columns.js'

export interface KeyRotationOptions {
  readonly pool: pg.Pool
  readonly encryption: Encryption
  readonly log: Logger
  readonly pageRows?: number
}

export interface KeyRotationResult {
  readonly resealed: number
  /** Values that none of the keys opens. They are left as they are. */
  readonly unopened: number
}

export interface KeyRotationProgress {
  /** Values under another key than the present one; null before they were counted here. */
  readonly left: number | null
  /** Values that were sealed again since the start. */
  readonly resealed: number
}

export interface KeyRotation {
  /** Makes one pass over all values. Safe beside writers, and on several nodes at once. */
  run(): Promise<KeyRotationResult>
  /**
   * Makes passes in the background, on one node at a time, until one has found nothing. Then passes are rare, since a node that was
   * started with the former key may still write under it.
   */
  start(): void
  readonly progress: KeyRotationProgress
  /** Waits for the page under way. */
  close(): Promise<void>
}

/** Pause between two pages, so that a pass takes only a small part of the database. */
const PAGE_PAUSE_MS = 20
const AGAIN_MS = 60_000
const LOOK_AGAIN_MS = 60 * 60_000
/** Advisory lock under which one pass runs in the whole installation: 'seal' in ASCII. */
const PASS_LOCK = 0x7365616c

export function createKeyRotation(options: KeyRotationOptions): KeyRotation {
  return new Resealing(options)
}

class Resealing implements KeyRotation {
  readonly #options: KeyRotationOptions
  readonly #ended = new AbortController()
  readonly #keyId: Buffer
  readonly #pageRows: number
  #running: Promise<void> | undefined
  #left: number | null = null
  #resealed = 0

  constructor(options: KeyRotationOptions) {
    this.#options = options
    this.#keyId = Buffer.from(options.encryption.keyId, 'hex')
    this.#pageRows = options.pageRows ?? 500
  }

  start(): void {
    this.#running = this.#inBackground()
  }

  get progress(): KeyRotationProgress {
    return { left: this.#left, resealed: this.#resealed }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async run(): Promise<KeyRotationResult> {
    let [resealed, unopened] = [0, 0]
    if ((await this.#countLeft()) === 0) return { resealed, unopened }
    for (const column of SEALED_COLUMNS) {
      let after: readonly string[] | null = null
      do {
        const page = await this.#resealPage(column, after)
        resealed += page.resealed
        unopened += page.unopened
        this.#resealed += page.resealed
        this.#left = Math.max(0, (this.#left ?? 0) - page.resealed)
        after = page.last
        if (after !== null) await pause(PAGE_PAUSE_MS)
      } while (after !== null && !this.#ended.signal.aborted)
    }
    return { resealed, unopened }
  }

  async #inBackground(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      let isClean = false
      try {
        isClean = await this.#passAlone()
      } catch (error) {
        this.#options.log.warn(
          { err: error },
          'Values could not be sealed under the present encryption key; tried again soon.',
        )
      }
      if (signal.aborted) return
      const waitMs = (isClean ? LOOK_AGAIN_MS : AGAIN_MS) * (0.9 + Math.random() / 10)
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Returns true when no value is left. Returns false too while another node makes a pass. */
  async #passAlone(): Promise<boolean> {
    const client = await this.#options.pool.connect()
    try {
      const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [PASS_LOCK])
      if (!rows[0]?.ours) return false
      const result = await this.run()
      await client.query('SELECT pg_advisory_unlock($1)', [PASS_LOCK])
      if (this.#ended.signal.aborted) return false
      const isClean = (await this.#countLeft()) === 0
      this.#report(result, isClean)
      return isClean
    } finally {
      // The lock ends with the connection, in every case.
      client.release(true)
    }
  }

  #report(result: KeyRotationResult, isClean: boolean): void {
    const { log } = this.#options
    if (result.unopened > 0) log.error(result, 'Some values open under none of the encryption keys.')
    else if (isClean)
      log.info(
        result,
        'Everything is sealed under the present encryption key; where all nodes have it, ENCRYPTION_KEYS_OLD may be unset.',
      )
  }

  async #countLeft(): Promise<number> {
    let count = 0
    for (const column of SEALED_COLUMNS) count += await countStale(this.#options.pool, column, this.#keyId)
    this.#left = count
    return count
  }

  async #resealPage(
    column: SealedColumn,
    after: readonly string[] | null,
  ): Promise<KeyRotationResult & { last: readonly string[] | null }> {
    const { pool, encryption } = this.#options
    const limit = this.#pageRows
    const rows = await readSealedPage(pool, column, { keyId: this.#keyId, after, limit })
    const fresh: Resealed[] = []
    let unopened = 0
    for (const { parts, stale } of rows) {
      if (stale === null) continue
      const place = column.place(...parts)
      try {
        fresh.push({ parts, old: stale, now: encryption.seal(encryption.open(stale, ...place), ...place) })
      } catch {
        unopened += 1
      }
    }
    if (fresh.length > 0) await replaceSealed(pool, column, fresh)
    const last = rows.length === limit ? (rows.at(-1)?.parts.slice(0, column.keys.length) ?? null) : null
    return { resealed: fresh.length, unopened, last }
  }
}
