/** Cursors of lists: the place of the last row of a page, as text that callers hand back. */
import { GatewayError } from '../../schemas/errors.js'

// Bound: 1,048,576, a field of a request.

/** Place of a row in an order: the value by which the list is sorted, as text, and the id. */
export interface Cursor {
  readonly place: string
  readonly id: string
}

/** A point in time to the microsecond, as `timeText` writes it. */
export const TIME_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const ID_FORM = /^\w{1,40}$/

/** Returns the SQL that writes a time without loss. */
export function timeText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

export function formatCursor({ place, id }: Cursor): string {
  return Buffer.from(JSON.stringify([place, id])).toString('base64url')
}

/** @throws GatewayError INVALID_REQUEST for a cursor that is none of an order whose places have this form */
export function parseCursor(text: string, form: RegExp, field = 'cursor'): Cursor {
  const [place, id] = parseCursorValues(text)
  if (typeof place === 'string' && typeof id === 'string' && form.test(place) && ID_FORM.test(id))
    if (form !== TIME_FORM || !Number.isNaN(Date.parse(place))) return { place, id }
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} is not the cursor of a page in this order.`,
    details: [{ field, why: 'is not the cursor of a page in this order' }],
  })
}

function parseCursorValues(text: string): unknown[] {
  try {
    // Bound: 1,000, a cursor.
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}
