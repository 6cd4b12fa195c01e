/** Rules for values of an imported file that several tables share. */
import { exceededLimit } from '../../../schemas/json-shape.js'
import { SEND_AHEAD_MAX_MS } from '../../../schemas/send-time.js'

// Bound: 1,048,576, a value of an imported row.

/** Returns what is wrong, as in "must be …"; null when the value is good. `value` has the type of its column and is not null. */
export type Rule = (value: never, row: Readonly<Record<string, unknown>>) => string | null

const JID = /^[\w.:-]{1,80}@[a-z.]{1,20}$/
/** Far more than nested quotes have, far less than what a parser's stack bears. */
const CONTENT = { depthMax: 200, keysMax: 60_000, valuesMax: 60_000 }

export const jid = (value: string) => (JID.test(value) ? null : 'must be a JID')
export const jsonObject = jsonOf(
  'object',
  (parsed) => typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed),
)

export function jsonOf(what: string, fits: (parsed: unknown) => boolean): (value: string) => string | null {
  return (value) => {
    if (exceededLimit(Buffer.from(value), CONTENT) !== null) return 'must be JSON with fewer values and levels'
    try {
      // Ours: a file that the administrator brings; its values are counted before.
      return fits(JSON.parse(value) as unknown) ? null : `must be JSON of a ${what}`
    } catch {
      return 'must be JSON'
    }
  }
}

/** Rejects a time far ahead, which would never end, and an invalid time, which would break its readers. */
export function isNear(value: string): string | null {
  const atMs = Date.parse(value)
  return atMs > 0 && atMs < Date.now() + 2 * SEND_AHEAD_MAX_MS ? null : 'must be a time of this or the next year'
}
