/** The instances that a change of many is for. */
import { hash } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { cleanTag } from '../../schemas/instance-tags.js'
import type { BulkChange, BulkPreview, BulkSelection } from '../../schemas/ports/bulk-jobs.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import { IS_PAIRED, instanceCondition, ownedByAny } from './instance-filter.js'
import { INSTANCE_TABLES, PRESENT_STATUS } from './instance-rows.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Bound: 20, the tags of a change.

/** Maximum of instances of one job. */
const SELECTED_MAX = 100_000
const SHOWN_MAX = 100
/** Condition on the instance `i`: it should have a connection that can be restarted. */
const IS_RESTARTABLE = `i.desired_connected AND ${IS_PAIRED} AND i.exported_at IS NULL`

interface Selected {
  readonly id: InstanceId
  readonly status: InstanceRow['status']
}

export interface SelectedInstances extends BulkPreview {
  /** All of them, in the order of their turns. */
  readonly all: readonly InstanceId[]
}

export type FindSelected = (change: BulkChange, selection: BulkSelection) => Promise<SelectedInstances>

export function createBulkSelection(pool: pg.Pool, timeoutMs = SEARCH_TIMEOUT_MS): FindSelected {
  const search = createSearch(pool, timeoutMs)
  return async (change, selection) => {
    const values: unknown[] = [SELECTED_MAX + 1]
    const condition = selectionCondition(change, selection, values)
    // Ids are random, so that in this order the owners take turns.
    const found = await search<Selected>(
      `SELECT i.id, ${PRESENT_STATUS} AS status FROM ${INSTANCE_TABLES} WHERE ${condition} ORDER BY i.id COLLATE "C" LIMIT $1`,
      values,
    )
    if (found.length > SELECTED_MAX) throw tooMany()
    const all = found.map(({ id }) => id)
    const counts = { disconnected: 0, connecting: 0, connected: 0 }
    for (const { status } of found) counts[status] += 1
    return {
      all,
      count: all.length,
      counts,
      ids: all.slice(0, SHOWN_MAX),
      unknown: selection.ids === undefined ? [] : await unknownAmong(pool, selection.ids),
      digest: hashChange(change, all),
    }
  }
}

/** Returns the change with its tags as they are stored, sorted, so that equal changes have one digest. */
export function cleanChange({ action, add, remove }: BulkChange): BulkChange {
  const clean = (tags: readonly string[]): string[] => [...new Set(tags.map(cleanTag))].sort()
  return { action, add: clean(add), remove: clean(remove) }
}

function selectionCondition({ action }: BulkChange, { ids, filter, nodes }: BulkSelection, values: unknown[]): string {
  const conditions = [instanceCondition(filter ?? {}, values)]
  if (ids !== undefined) conditions.push(`i.id = ANY($${values.push(clean(ids))}::text[])`)
  if (nodes !== undefined) conditions.push(ownedByAny(`$${values.push(clean(nodes))}`))
  if (action === 'restart') conditions.push(IS_RESTARTABLE)
  return conditions.join(' AND ')
}

async function unknownAmong(pool: pg.Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM instance WHERE id = ANY($1::text[])', [clean(ids)])
  const known = new Set(rows.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => !known.has(id))
}

function hashChange({ action, add, remove }: BulkChange, ids: readonly InstanceId[]): string {
  return hash('sha256', JSON.stringify([action, add, remove, ids]), 'hex')
}

function tooMany(): GatewayError {
  const why = `selects more than ${SELECTED_MAX} instances`
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: filter ${why}; change them in parts.`,
    details: [{ field: 'filter', why }],
  })
}

/** Removes NUL, which PostgreSQL refuses in text. */
function clean(texts: readonly string[]): string[] {
  return texts.map((text) => text.replaceAll('\0', ''))
}
