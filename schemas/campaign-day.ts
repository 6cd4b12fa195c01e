/** Days of a campaign, in its time zone, and its maximum of messages in one of them. */
import { instantOfLocal, localMs } from './time-zone.js'

/** Messages of one day, as stored. */
export interface DayCount {
  /** Days since 1970. */
  readonly day: number
  readonly dayTaken: number
}

interface Capped extends DayCount {
  /** Null: no maximum. */
  readonly dailyCap: number | null
  /** IANA name. */
  readonly timezone: string
}

const DAY_MS = 86_400_000

/** Returns the number of the local day since 1970. */
export function dayIn(timezone: string, atMs: number): number {
  return Math.floor(localMs(timezone, atMs) / DAY_MS)
}

/** Returns the messages that count for this day. A clock that was set back a little does not begin a day twice. */
export function takenOn(today: number, { day, dayTaken }: DayCount): number {
  return isSameDay(today, day) ? dayTaken : 0
}

/** Returns the count with one message more. The statement that takes a recipient does the same. */
export function withOneMore(today: number, count: DayCount): DayCount {
  return { day: isSameDay(today, count.day) ? count.day : today, dayTaken: takenOn(today, count) + 1 }
}

/** Returns the time until a campaign may send again, 0 while it has not reached its maximum of the day. */
export function capWaitMs({ dailyCap, timezone, ...count }: Capped, atMs: number): number {
  if (dailyCap === null) return 0
  const today = dayIn(timezone, atMs)
  if (takenOn(today, count) < dailyCap) return 0
  return Math.max(1, instantOfLocal(timezone, (Math.max(today, count.day) + 1) * DAY_MS) - atMs)
}

function isSameDay(today: number, day: number): boolean {
  return day === today || day === today + 1
}
