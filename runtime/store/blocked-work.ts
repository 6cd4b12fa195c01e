import type pg from 'pg'
import { errorText } from '../../lib/error-text.js'
import type { GivenUpWork } from '../../schemas/work.js'
import type { Logger } from '../logging.js'

/** Ends after which work is given up: the first may have had another cause. */
const ENDS_MAX = 2
const ROWS_MAX = 10_000

const READ = `SELECT kind, instance_id, id FROM blocked_work WHERE ends >= ${ENDS_MAX} ORDER BY at DESC LIMIT ${ROWS_MAX}`
// $1 kind   $2 instance, or an empty text   $3 id
const FORGET = 'DELETE FROM blocked_work WHERE kind = $1 AND instance_id = $2 AND id = $3'

/** Whoever takes such work next gives it up. */
export interface BlockedWork extends GivenUpWork {
  /** Reads again. Call when this node takes over work of another: the row of an end is there before anybody can. */
  refresh(): void
}

export function createBlockedWork(pool: pg.Pool, log: Logger): BlockedWork {
  let known: ReadonlySet<string> = new Set()
  let reading: Promise<void> | undefined
  let isStale = true

  async function read(): Promise<void> {
    isStale = false
    try {
      const { rows } = await pool.query<{ kind: string; instance_id: string; id: string }>(READ)
      known = new Set(rows.map(({ kind, instance_id, id }) => formatKey({ kind, instance: instance_id, id })))
    } catch (error) {
      isStale = true
      log.warn({ error: errorText(error) }, 'The work that blocked nodes could not be read.')
    }
  }

  function refresh(): void {
    const next: Promise<void> = (reading ?? Promise.resolve()).then(read).finally(() => {
      if (reading === next) reading = undefined
    })
    reading = next
  }

  refresh()
  return {
    refresh,
    isGivenUp(work) {
      if (isStale && reading === undefined) refresh()
      const look = (): boolean => known.size > 0 && known.has(formatKey(work))
      return reading === undefined ? look() : reading.then(look)
    },
    forget(work) {
      known = new Set([...known].filter((key) => key !== formatKey(work)))
      pool
        .query(FORGET, [work.kind, work.instance, work.id])
        .catch((error: unknown) => log.warn({ error: errorText(error) }, 'Given-up work could not be forgotten.'))
    },
  }
}

function formatKey({ kind, instance, id }: { kind: string; instance: string; id: string }): string {
  return `${kind} ${instance} ${id}`
}
