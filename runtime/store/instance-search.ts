/** Search over the instances of the installation, page by page. A page starts after the last row of the one before, so none is skipped or shown twice. */
import type pg from 'pg'
import type { FoundInstance, InstanceDirectory, InstanceQuery, InstanceRow } from '../../schemas/ports/instances.js'
import { readInstanceCounts } from './instance-counts.js'
import { IS_PAIRED, instanceCondition, NODE_NAME } from './instance-filter.js'
import { INSTANCE_COLUMNS, INSTANCE_TABLES, PRESENT_STATUS, type StoredInstance, toRow } from './instance-rows.js'
import { type Cursor, formatCursor, parseCursor, TIME_FORM, timeText } from './page-cursor.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from './timed-search.js'

// Bound: 1,048,576, a field of a request.

interface FoundRow extends StoredInstance {
  /** NODE_ID of the owner. */
  readonly node: string | null
  readonly paired: boolean
  readonly last_activity_at: Date | null
  /** Start of the present status. */
  readonly since: Date | null
  readonly waiting: number
  /** Value of the column by which the page is sorted, as text. */
  readonly place: string
}

/** Expressions of each order. `text` writes a value without loss, `parse` reads it. */
const ORDERS = {
  created: {
    column: 'i.created',
    text: timeText('i.created'),
    type: 'timestamptz',
    form: TIME_FORM,
  },
  name: {
    column: '(lower(i.name) COLLATE "C")',
    text: 'lower(i.name)',
    type: 'text',
    form: /^[^\0]{0,500}$/,
  },
} as const

/** Maximum of waiting messages that are counted for one instance. */
const WAITING_MAX = 1_000

/**
 * Start of the status of `page`: its first entry in the history after the last one with another status. Empty if the newest entry has another
 * status, since its owner has written none of the present one.
 */
const SINCE = `
  SELECT h.at FROM connection_history AS h
  WHERE h.instance_id = page.id AND h.status = page.present_status AND h.position > COALESCE((
    SELECT former.position FROM connection_history AS former
    WHERE former.instance_id = page.id AND former.status <> page.present_status ORDER BY former.position DESC LIMIT 1), 0)
  ORDER BY h.position LIMIT 1`
const WAITING = `
  SELECT count(*)::int FROM (SELECT FROM message AS m WHERE m.instance_id = page.id AND m.outbox > 0 LIMIT ${WAITING_MAX}) AS one`

export function createInstanceSearch(pool: pg.Pool, timeoutMs = SEARCH_TIMEOUT_MS): InstanceDirectory['find'] {
  const search = createSearch(pool, timeoutMs, { mayLag: true })
  return async (query) => {
    const cursor = query.cursor === undefined ? null : parseCursor(query.cursor, ORDERS[query.sort].form)
    const page = pageStatement(query, cursor)
    const [rows, counts] = await Promise.all([
      search<FoundRow>(page.text, page.values),
      cursor === null ? readCounts(search, query) : null,
    ])
    const shown = rows.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      instances: shown.map(toFound),
      next: rows.length > query.limit && last !== undefined ? formatCursor({ place: last.place, id: last.id }) : null,
      counts,
    }
  }
}

function pageStatement(query: InstanceQuery, cursor: Cursor | null): { text: string; values: unknown[] } {
  const { column, text, type } = ORDERS[query.sort]
  const direction = query.isDescending ? 'DESC' : 'ASC'
  const values: unknown[] = [query.limit + 1]
  const conditions = [instanceCondition(query.filter, values)]
  if (cursor !== null) {
    const place = `$${values.push(cursor.place)}::${type}`
    const id = `$${values.push(cursor.id)}::text`
    conditions.push(`(${column}, i.id) ${query.isDescending ? '<' : '>'} (${place}, ${id})`)
  }
  // The history and the queues are read for the rows of the page only.
  return {
    text: `
      SELECT page.*, (${SINCE}) AS since, (${WAITING}) AS waiting
      FROM (
        SELECT ${INSTANCE_COLUMNS}, ${NODE_NAME} AS node, ${IS_PAIRED} AS paired, i.last_activity_at, ${text} AS place,
          ${PRESENT_STATUS} AS present_status, ${column} AS sorted_by
        FROM ${INSTANCE_TABLES} WHERE ${conditions.join(' AND ')}
        ORDER BY ${column} ${direction}, i.id ${direction} LIMIT $1) AS page
      ORDER BY page.sorted_by ${direction}, page.id ${direction}`,
    values,
  }
}

type Counts = Readonly<Record<InstanceRow['status'], number>>

/** Counts by status, without regard to the statuses of the filter, so that each count tells what its choice would show. */
async function readCounts(search: Search, { filter: { status: _, ...filter } }: InstanceQuery): Promise<Counts> {
  const values: unknown[] = []
  const condition = instanceCondition(filter, values)
  if (condition === 'true') {
    const { disconnected, connecting, connected } = await readInstanceCounts(search)
    return { disconnected, connecting, connected }
  }
  const counted = await search<{ status: InstanceRow['status']; count: number }>(
    `SELECT ${PRESENT_STATUS} AS status, count(*)::int AS count FROM ${INSTANCE_TABLES} WHERE ${condition} GROUP BY 1`,
    values,
  )
  return {
    ...{ disconnected: 0, connecting: 0, connected: 0 },
    ...Object.fromEntries(counted.map(({ status, count }) => [status, count])),
  }
}

function toFound(row: FoundRow): FoundInstance {
  const { node, paired: isPaired, last_activity_at: lastActivityAt, since, waiting } = row
  return { instance: toRow(row), node, isPaired, lastActivityAt, since, waiting }
}
