/** Headers of functions, sealed as soon as no node of a former release is alive: such a node reads and writes them in clear. */
import type pg from 'pg'
import type { Encryption } from '../encryption.js'

export interface StoredHeaders {
  /** In clear, as a node of a former release reads and writes them. Newer than the sealed ones if there are any. */
  readonly headers: string
  readonly headersSealed: Buffer | null
}

const PAGE_ROWS = 200

/** SQL condition: a node lives that knows headers in clear only. */
export const IS_READ_IN_CLEAR = 'EXISTS (SELECT FROM node AS n WHERE NOT n.dead AND NOT n.reads_sealed_headers)'

const FIND = `
  SELECT instance_id AS instance, id, headers FROM agent_function WHERE headers <> '' AND (instance_id, id) > ($1, $2) AND NOT ${IS_READ_IN_CLEAR}
  ORDER BY instance_id, id LIMIT ${PAGE_ROWS}`
// $1 instance   $2 id   $3 in clear   $4 sealed
const SEAL = `
  UPDATE agent_function SET headers = '', headers_sealed = $4
  WHERE instance_id = $1 AND id = $2 AND headers = $3 AND NOT ${IS_READ_IN_CLEAR}`

/** Returns the sealed form. Null: there are no headers. */
export function sealHeaders(encryption: Encryption, instance: string, id: string, headers: string): Buffer | null {
  return headers === '' ? null : encryption.seal(Buffer.from(headers), instance, 'function', id)
}

export function openHeaders(encryption: Encryption, instance: string, id: string, stored: StoredHeaders): string {
  if (stored.headers !== '' || stored.headersSealed === null) return stored.headers
  return encryption.open(stored.headersSealed, instance, 'function', id).toString()
}

/**
 * Seals headers that stand in clear, unless a node lives that reads them so, and returns their number. Safe beside edits, and on several
 * nodes at once.
 */
export async function sealClearHeaders(pool: pg.Pool, encryption: Encryption, signal: AbortSignal): Promise<number> {
  let sealed = 0
  let after: readonly [string, string] = ['', '']
  for (;;) {
    const { rows } = await pool.query<{ instance: string; id: string; headers: string }>(FIND, [...after])
    for (const { instance, id, headers } of rows) {
      if (signal.aborted) return sealed
      const values = [instance, id, headers, sealHeaders(encryption, instance, id, headers)]
      sealed += (await pool.query(SEAL, values)).rowCount ?? 0
      after = [instance, id]
    }
    if (rows.length < PAGE_ROWS) return sealed
  }
}
