/** PostgreSQL's clock, which is the same for all nodes. The time is read now and then; between two reads it is counted by a monotonic clock. */
import type pg from 'pg'

export interface DatabaseClock {
  /** Milliseconds since 1970. @throws the error of PostgreSQL when it has to be asked and does not answer */
  nowMs(): Promise<number>
}

const ASKED_EVERY_MS = 10_000
const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'

export function createDatabaseClock(pool: Pick<pg.Pool, 'query'>): DatabaseClock {
  let asked: Promise<number> | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY

  /** Returns the time of PostgreSQL at which `performance.now()` was 0. */
  async function ask(): Promise<number> {
    const begunMs = performance.now()
    const { rows } = await pool.query<{ ms: number }>(NOW)
    return Number(rows[0]?.ms) - (begunMs + performance.now()) / 2
  }

  return {
    async nowMs() {
      if (asked === undefined || performance.now() - askedAtMs > ASKED_EVERY_MS) {
        askedAtMs = performance.now()
        const now = ask()
        asked = now
        now.catch(() => {
          if (asked === now) asked = undefined
        })
      }
      return (await asked) + performance.now()
    },
  }
}
