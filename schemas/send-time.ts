/** Reads the time at which a message is to be sent, as callers write it. */
import { GatewayError } from './errors.js'
import { instantOfLocal, localMs, parseTimeZone } from './time-zone.js'

// Bound: 1,048,576, a field of a request.

/** The time of a send. An instant is what counts; the words of the caller stand beside it. */
export interface SendTime {
  /** Unix milliseconds. */
  readonly atMs: number
  /** As the caller wrote it. */
  readonly asked: string
  /** IANA name of the time zone in which the caller wrote it; '' for an instant. */
  readonly zone: string
  /** A sentence for the caller, if the time is not read as it is written. */
  readonly warning?: string
}

/** Maximum time ahead: a year and a day. */
export const SEND_AHEAD_MAX_MS = 366 * 24 * 60 * 60_000

/** Minimum number that is taken for Unix milliseconds. Smaller ones are Unix seconds or mistakes. */
const EPOCH_MS_MIN = 1_000_000_000_000
/** Years 0000 to 9999, with fractions of a second of any usual length. */
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Reads epoch milliseconds, RFC 3339 with an offset, or a local time of the given zone.
 * A local time that a change of the clock skips moves forward by that change. If a local time exists twice, the first one is taken.
 * @throws GatewayError INVALID_REQUEST that names the field
 */
export function readSendTime(value: string | number, timezone: string | undefined, nowMs: number): SendTime {
  const asked = String(value).trim()
  const time = /^-?\d+(\.\d+)?$/.test(asked) ? readEpoch(asked) : readText(asked, timezone)
  if (time.atMs - nowMs > SEND_AHEAD_MAX_MS) throw invalid('send_at', 'must be at most 366 days ahead')
  return { ...time, asked }
}

/** Reads an instant, without a zone. @throws GatewayError INVALID_REQUEST that names the field */
export function readInstant(value: string, field: string): number {
  try {
    return readSendTime(value, undefined, Number.POSITIVE_INFINITY).atMs
  } catch (error) {
    const why = error instanceof GatewayError ? String((error.details as { why?: string }[] | undefined)?.[0]?.why) : ''
    throw invalid(field, why === '' ? 'must be a time' : why.replace(', or the field timezone', ''))
  }
}

function readEpoch(asked: string): Omit<SendTime, 'asked'> {
  const atMs = Number(asked)
  if (!Number.isSafeInteger(atMs) || atMs < 0) throw invalid('send_at', 'must be whole milliseconds since 1970')
  if (atMs < EPOCH_MS_MIN) throw invalid('send_at', 'must be milliseconds since 1970: it looks like seconds')
  return { atMs, zone: '' }
}

function readText(asked: string, timezone: string | undefined): Omit<SendTime, 'asked'> {
  const parts = TIME.exec(asked)
  if (parts === null)
    throw invalid('send_at', 'must be epoch milliseconds, or a time such as 2027-01-31T09:00:00-03:00')
  const wallMs = toWallTime(parts)
  const offset = parts[8]
  if (offset !== undefined) {
    const atMs = wallMs - parseOffset(offset)
    const isIgnored = timezone !== undefined && timezone !== ''
    return { atMs, zone: '', ...(isIgnored ? { warning: 'timezone: send_at has an offset, so it was not used' } : {}) }
  }
  if (!timezone) throw invalid('send_at', 'needs an offset, such as Z or -03:00, or the field timezone')
  return readLocal(wallMs, timezone)
}

function readLocal(wallMs: number, timezone: string): Omit<SendTime, 'asked'> {
  const zone = parseTimeZone(timezone.trim())
  const atMs = instantOfLocal(zone, wallMs)
  const movedMs = localMs(zone, atMs) - wallMs
  return {
    atMs,
    zone,
    ...(movedMs === 0
      ? {}
      : {
          warning: `send_at: the clocks of ${zone} skip this time, so it was moved forward by ${movedMs / 60_000} minutes`,
        }),
  }
}

/** Returns the digits of a time, read as UTC. */
function toWallTime(parts: RegExpExecArray): number {
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as number[]
  const milliseconds = Math.trunc(Number(`0.${parts[7] ?? 0}`) * 1000)
  const date = new Date(0)
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day)
  date.setUTCHours(hour ?? 0, minute, second, milliseconds)
  const isReal =
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  if (!isReal) throw invalid('send_at', 'must be a time that exists')
  return date.getTime()
}

function parseOffset(text: string): number {
  if (/^z$/i.test(text)) return 0
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)]
  if (hours > 23 || minutes > 59) throw invalid('send_at', 'must have an offset of less than 24 hours')
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}
