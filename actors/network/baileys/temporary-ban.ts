import type { Boom } from '@hapi/boom'

// Bound: 65,536, a text or attribute of a stanza.

export interface TemporaryBan {
  /** For people: why, and until when, as far as the network told. */
  readonly detail?: string
  /** Time until its end; undefined when the network gave none. */
  readonly waitMs?: number
}

/** whatsmeow `types/events/events.go`, `TempBanReason`. */
const REASONS: Readonly<Record<string, string>> = {
  101: 'it wrote to too many people who do not have its number saved',
  102: 'too many people blocked it',
  103: 'it made too many groups with people who do not have its number saved',
  104: 'it sent the same message to too many people',
  106: 'it sent too many messages to a broadcast list',
}
/** Longest ban that is believed: the end of a longer one is asked for again. */
const SECONDS_MAX = 10 * 365 * 24 * 60 * 60

/** Reads a temporary ban (402) from the attributes of the network's refusal, which the library keeps in `data`. */
export function temporaryBan(error: Boom | undefined, nowMs: number): TemporaryBan {
  const { code, expire } = (typeof error?.data === 'object' ? (error.data ?? {}) : {}) as Record<string, unknown>
  const seconds = Number(expire)
  const hasEnd = typeof expire === 'string' && Number.isFinite(seconds) && seconds > 0 && seconds <= SECONDS_MAX
  const why = typeof code === 'string' && /^\d{1,5}$/.test(code) ? (REASONS[code] ?? `reason ${code}`) : undefined
  const until = hasEnd ? `until ${new Date(nowMs + seconds * 1_000).toISOString()}` : undefined
  const detail = [why, until].filter((part) => part !== undefined).join(', ')
  return { ...(detail === '' ? {} : { detail }), ...(hasEnd ? { waitMs: seconds * 1_000 } : {}) }
}
