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
  /** Makes one pass over all values, until the signal ends it. Safe beside writers, and on several nodes at once. */
  run(signal?: AbortSignal): Promise<KeyRotationResult>
  /** Makes a pass, reports what it did, and returns the number of values that are left. */
  pass(signal: AbortSignal): Promise<number>
  readonly progress: KeyRotationProgress
}

/** Pause between two pages, so that a pass takes only a small part of the database. */
const PAGE_PAUSE_MS = 20
const NEVER = new AbortController().signal

export function createKeyRotation(options: KeyRotationOptions): KeyRotation {
  return new Resealing(options)
}

class Resealing implements KeyRotation {
  readonly #options: KeyRotationOptions
  readonly #keyId: Buffer
  readonly #pageRows: number
  #left: number | null = null
  #resealed = 0

  constructor(options: KeyRotationOptions) {
    this.#options = options
    this.#keyId = Buffer.from(options.encryption.keyId, 'hex')
    this.#pageRows = options.pageRows ?? 500
  }

  get progress(): KeyRotationProgress {
    return { left: this.#left, resealed: this.#resealed }
  }

  async run(signal = NEVER): Promise<KeyRotationResult> {
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
      } while (after !== null && !signal.aborted)
    }
    return { resealed, unopened }
  }

  async pass(signal: AbortSignal): Promise<number> {
    const result = await this.run(signal)
    const left = await this.#countLeft()
    if (!signal.aborted) this.#report(result, left === 0)
    return left
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
