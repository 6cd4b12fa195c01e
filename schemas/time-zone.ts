/** Conversion between instants and the local time of an IANA time zone. `Intl` is the source of the zones and of their rules. */
import { invalidField } from './invalid-field.js'

// Bound: 1,048,576, a field of a request.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Local times differ from UTC by at most 14 hours, and one change of a clock by at most 24. */
const AROUND_MS = 36 * HOUR_MS
/** A formatter takes some kilobytes, and callers choose the zones. */
const FORMATTERS_MAX = 100
const NAME = /^[A-Za-z][\w+/-]{0,63}$/

const NAMES_MAX = 1_000

/** Days of zones whose offsets are kept. */
const OFFSETS_MAX = 20_000

/** The offset before a change of the clock and from it on. Without a change both are the same. */
interface DayOffsets {
  readonly before: number
  readonly changesAt: number
  readonly after: number
}

const formatters = new Map<string, Intl.DateTimeFormat>()
/** Names that were looked up, true for zones. A list of recipients names the same few again and again. */
const names = new Map<string, boolean>()

/** Tells whether the name is a zone of the IANA database, such as `America/Sao_Paulo`. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  const known = names.get(name)
  if (known !== undefined) return known
  if (names.size >= NAMES_MAX) names.clear()
  const isZone = findFormatter(name) !== null
  names.set(name, isZone)
  return isZone
}

/**
 * Returns the zone under the name that `Intl` has for it.
 * @throws GatewayError INVALID_REQUEST with the field's name
 */
export function parseTimeZone(name: string, field = 'timezone'): string {
  const formatter = NAME.test(name) ? findFormatter(name) : null
  if (formatter === null) throw invalidField(field, 'must be the IANA name of a time zone, such as America/Sao_Paulo')
  return formatter.resolvedOptions().timeZone
}

/** Returns the local time at an instant, in the milliseconds that the same date and time have in UTC. */
export function localMs(zone: string, atMs: number): number {
  return atMs + offsetMs(zone, atMs)
}

/**
 * Returns the instant of a local time, which is given in the milliseconds that the same date and time have in UTC.
 * A local time that does not exist moves forward by the gap. A local time that exists twice means the first.
 */
export function instantOfLocal(zone: string, local: number): number {
  const before = offsetMs(zone, local - AROUND_MS)
  const after = offsetMs(zone, local + AROUND_MS)
  // The larger offset gives the earlier instant, so that it is the first of two.
  const offsets = before === after ? [before] : [Math.max(before, after), Math.min(before, after)]
  const found = offsets.find((offset) => offsetMs(zone, local - offset) === offset)
  return local - (found ?? before)
}

/** `Intl` takes microseconds for each instant, so the offsets of a day are kept. */
const offsets = new Map<string, Map<number, DayOffsets>>()
let offsetsKept = 0

function offsetMs(zone: string, atMs: number): number {
  const day = Math.floor(atMs / DAY_MS)
  const { before, changesAt, after } = offsets.get(zone)?.get(day) ?? keptOffsets(zone, day)
  return atMs < changesAt ? before : after
}

function keptOffsets(zone: string, day: number): DayOffsets {
  const found = findOffsets(zone, day * DAY_MS, (day + 1) * DAY_MS)
  if (offsetsKept >= OFFSETS_MAX) {
    offsets.clear()
    offsetsKept = 0
  }
  const days = offsets.get(zone) ?? new Map<number, DayOffsets>()
  offsets.set(zone, days.set(day, found))
  offsetsKept += 1
  return found
}

/** Finds the change between two instants by halves. No clock changes twice within a day. */
function findOffsets(zone: string, fromMs: number, toMs: number): DayOffsets {
  const [before, after] = [formattedOffsetMs(zone, fromMs), formattedOffsetMs(zone, toMs)]
  let [known, changesAt] = [fromMs, toMs]
  if (before === after) return { before, changesAt, after }
  while (changesAt - known > 1) {
    const middle = Math.floor((known + changesAt) / 2)
    if (formattedOffsetMs(zone, middle) === before) known = middle
    else changesAt = middle
  }
  return { before, changesAt, after }
}

function formattedOffsetMs(zone: string, atMs: number): number {
  const formatter = findFormatter(zone)
  if (formatter === null) throw new RangeError(`Unknown time zone: ${zone}`)
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatter.formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

function findFormatter(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formatters.size >= FORMATTERS_MAX) formatters.clear()
    formatters.set(zone, formatter)
    return formatter
  } catch {
    return null
  }
}
