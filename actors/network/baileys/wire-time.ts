/** Times that a phone or server tells. Any number can stand there, such as one for which PostgreSQL has no room. */

/** Limit of a `Date`. */
const TIME_MAX_MS = 8.64e15

/** Returns milliseconds since 1970; 0 for what is no time. @param unitMs of the value */
export function wireTimeMs(value: unknown, unitMs: number): number {
  const ms = Math.trunc(value == null ? 0 : Number(value)) * unitMs
  return ms > 0 && ms <= TIME_MAX_MS ? ms : 0
}
