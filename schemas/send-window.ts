/** The days and hours in which a campaign may send, in a time zone. */
import { invalidField } from './invalid-field.js'
import { instantOfLocal, isTimeZone, localMs, parseTimeZone } from './time-zone.js'

// Bound: 1,048,576, a field of a request.

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Value of `timezone` that means the zone of each recipient. */
const RECIPIENT_ZONE = 'recipient'

/** A window as callers write it. Every field is optional: a caller may give only days, or only hours. */
export interface SendWindowInput {
  readonly days?: readonly string[]
  /** `HH:MM`, 00:00 to 23:59. Default 00:00. */
  readonly from?: string
  /** `HH:MM`, 00:00 to 24:00. Default 24:00. Earlier than `from`: the window ends on the next day. */
  readonly to?: string
  readonly timezone?: string
  /** Zone of recipients that have none, when `timezone` is `recipient`. */
  readonly fallbackTimezone?: string
}

/** A checked window. It is plain data, so that it can be stored as JSON. */
export interface SendWindow {
  /** Days on which the window opens. One that passes midnight belongs to the day before. */
  readonly days: readonly Weekday[]
  /** Minutes after midnight. */
  readonly fromMinute: number
  /** Minutes after midnight, more than 1,440 when the window ends on the next day. */
  readonly toMinute: number
  /** Zone of the window. Of recipients without a zone, when `byRecipient` is true. */
  readonly timezone: string
  readonly byRecipient: boolean
}

const DAY_MS = 86_400_000
const DAY_MINUTES = 1440

/**
 * Checks a window.
 * @param field name of the window in the request, for the error
 * @throws GatewayError INVALID_REQUEST with the field's name
 */
export function parseSendWindow(input: SendWindowInput, field = 'window'): SendWindow {
  const fromMinute = parseMinute(input.from ?? '00:00', `${field}.from`, DAY_MINUTES - 1)
  const toMinute = parseMinute(input.to ?? '24:00', `${field}.to`, DAY_MINUTES)
  if (fromMinute === toMinute) {
    throw invalidField(`${field}.to`, 'must differ from "from": a window without length never opens')
  }
  return {
    days: parseDays(input.days ?? WEEKDAYS, `${field}.days`),
    fromMinute,
    toMinute: toMinute < fromMinute ? toMinute + DAY_MINUTES : toMinute,
    ...parseZone(input, field),
  }
}

/** Returns true for a window that `parseSendWindow` may have made. */
export function isSendWindow(value: unknown): value is SendWindow {
  if (typeof value !== 'object' || value === null) return false
  const { days, fromMinute, toMinute, timezone, byRecipient } = value as Partial<SendWindow>
  const areMinutes = Number.isSafeInteger(fromMinute) && Number.isSafeInteger(toMinute)
  const isLong = areMinutes && Number(fromMinute) >= 0 && Number(toMinute) > Number(fromMinute)
  return (
    isLong &&
    Number(toMinute) <= 2 * DAY_MINUTES &&
    Array.isArray(days) &&
    days.length > 0 &&
    days.every((day) => WEEKDAYS.includes(day)) &&
    typeof timezone === 'string' &&
    isTimeZone(timezone) &&
    typeof byRecipient === 'boolean'
  )
}

/** Returns a window as callers write it. */
export function sendWindowInput({ days, fromMinute, toMinute, timezone, byRecipient }: SendWindow) {
  const to = toMinute > DAY_MINUTES ? toMinute - DAY_MINUTES : toMinute
  return {
    days: [...days],
    from: formatTime(fromMinute),
    to: formatTime(to),
    ...(byRecipient ? { timezone: RECIPIENT_ZONE, fallbackTimezone: timezone } : { timezone }),
  }
}

/**
 * Returns the time until the window is open, 0 while it is. The end of a window is outside of it.
 * @param recipientZone zone of the recipient, when it is known
 */
export function msUntilOpen(window: SendWindow, atMs: number, recipientZone?: string): number {
  const zone = window.byRecipient && recipientZone !== undefined ? recipientZone : window.timezone
  const midnight = Math.floor(localMs(zone, atMs) / DAY_MS) * DAY_MS
  // From yesterday, whose window may pass midnight. The day of a week from now is looked at too, because a change of the clock may leave
  // today's window without length.
  for (let day = -1; day <= 14; day += 1) {
    const dayMs = midnight + day * DAY_MS
    if (!window.days.includes(toWeekday(dayMs))) continue
    const opens = instantOfLocal(zone, dayMs + window.fromMinute * 60_000)
    const closes = instantOfLocal(zone, dayMs + window.toMinute * 60_000)
    if (opens < closes && atMs < closes) return Math.max(0, opens - atMs)
  }
  return DAY_MS
}

/** Returns whether a window is open, and an instant until which it surely stays so, at most a day later. */
export function findOpening(window: SendWindow, atMs: number): { readonly isOpen: boolean; readonly untilMs: number } {
  const { timezone: zone, days, fromMinute, toMinute } = window
  const midnight = Math.floor(localMs(zone, atMs) / DAY_MS) * DAY_MS
  let [isOpen, untilMs] = [false, atMs + DAY_MS]
  // From yesterday, whose window may pass midnight, to a day later than a day from now, because a clock may skip a day.
  for (let day = -1; day <= 2; day += 1) {
    const dayMs = midnight + day * DAY_MS
    if (!days.includes(toWeekday(dayMs))) continue
    const opens = instantOfLocal(zone, dayMs + fromMinute * 60_000)
    const closes = instantOfLocal(zone, dayMs + toMinute * 60_000)
    if (opens >= closes || atMs >= closes) continue
    if (opens <= atMs) isOpen = true
    untilMs = Math.min(untilMs, opens <= atMs ? closes : opens)
  }
  return { isOpen, untilMs }
}

function toWeekday(dayMs: number): Weekday {
  return WEEKDAYS[new Date(dayMs).getUTCDay()] as Weekday
}

function formatTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

function parseMinute(text: string, field: string, max: number): number {
  const [, hours, minutes] = /^(\d{2}):([0-5]\d)$/.exec(text) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  if (minute <= max) return minute
  throw invalidField(field, `must be a time from 00:00 to ${max === DAY_MINUTES ? '24:00' : '23:59'}, as HH:MM`)
}

function parseDays(days: readonly string[], field: string): Weekday[] {
  const lower = days.map((day) => day.toLowerCase())
  const known: readonly string[] = WEEKDAYS
  for (const [index, day] of lower.entries())
    if (!known.includes(day)) throw invalidField(`${field}[${index}]`, `must be one of ${known.join(', ')}`)
  if (lower.length === 0) throw invalidField(field, 'must name at least one day: a window without days never opens')
  return WEEKDAYS.filter((day) => lower.includes(day))
}

function parseZone(
  { timezone, fallbackTimezone }: SendWindowInput,
  field: string,
): Pick<SendWindow, 'timezone' | 'byRecipient'> {
  if (timezone === undefined) throw invalidField(`${field}.timezone`, 'is missing')
  if (timezone !== RECIPIENT_ZONE) {
    return { timezone: parseTimeZone(timezone, `${field}.timezone`), byRecipient: false }
  }
  if (fallbackTimezone === undefined) {
    throw invalidField(`${field}.fallbackTimezone`, 'is missing: recipients without a time zone need it')
  }
  return { timezone: parseTimeZone(fallbackTimezone, `${field}.fallbackTimezone`), byRecipient: true }
}
