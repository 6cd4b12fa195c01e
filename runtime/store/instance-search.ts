/** Search over the instances of the installation, page by page. A page starts after the last row of the one before, so none is skipped or shown twice. */
import type pg from 'pg'
import type { FoundInstance, InstanceDirectory, InstanceQuery, InstanceRow } from '../../schemas/ports/instances.js'
import { IS_PAIRED, instanceCondition, NODE_NAME } from './instance-filter.js'
import { INSTANCE_COLUMNS, INSTANCE_TABLES, PRESENT_STATUS, type StoredInstance, toRow } from './instance-rows.js'
import { type Cursor, formatCursor, parseCursor, TIME_FORM, timeText } from './page-cursor.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

interface FoundRow extends StoredInstance {
  /** NODE_ID of the owner. */
  readonly node: string | null
  readonly paired: boolean
  readonly last_activity_at: Date | null
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

export function createInstanceSearch(pool: pg.Pool, timeoutMs = SEARCH_TIMEOUT_MS): InstanceDirectory['find'] {
  const search = createSearch(pool, timeoutMs)
  return async (query) => {
    const cursor = query.cursor === undefined ? null : parseCursor(query.cursor, ORDERS[query.sort].form)
    const page = pageStatement(query, cursor)
    const count = cursor === null ? countStatement(query) : null
    const [rows, counted] = await Promise.all([
      search<FoundRow>(page.text, page.values),
      count === null ? null : search<{ status: InstanceRow['status']; count: number }>(count.text, count.values),
    ])
    const shown = rows.slice(0, query.limit)
    const last = shown.at(-1)
    return {
      instances: shown.map(toFound),
      next: rows.length > query.limit && last !== undefined ? formatCursor({ place: last.place, id: last.id }) : null,
      counts:
        counted === null
          ? null
          : {
              ...{ disconnected: 0, connecting: 0, connected: 0 },
              ...Object.fromEntries(counted.map(({ status, count }) => [status, count])),
            },
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
  return {
    text: `
      SELECT ${INSTANCE_COLUMNS}, ${NODE_NAME} AS node, ${IS_PAIRED} AS paired, i.last_activity_at, ${text} AS place
      FROM ${INSTANCE_TABLES} WHERE ${conditions.join(' AND ')}
      ORDER BY ${column} ${direction}, i.id ${direction} LIMIT $1`,
    values,
  }
}

/** Counts by status, without regard to the statuses of the filter, so that each count tells what its choice would show. */
function countStatement({ filter: { status: _, ...filter } }: InstanceQuery): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const condition = instanceCondition(filter, values)
  return {
    text: `SELECT ${PRESENT_STATUS} AS status, count(*)::int AS count FROM ${INSTANCE_TABLES} WHERE ${condition} GROUP BY 1`,
    values,
  }
}

function toFound(row: FoundRow): FoundInstance {
  return { instance: toRow(row), node: row.node, isPaired: row.paired, lastActivityAt: row.last_activity_at }
}
