/** Lays the traffic of the installation over even times, for charts. */
import type { FiguresReply, TrafficReply } from '../../../../schemas/generated.js'

export type Span = 'hour' | 'day' | 'week'

/** Hours of a span, and minutes of its steps. */
export const SPANS: Readonly<Record<Span, { readonly hours: number; readonly stepMinutes: 5 | 15 | 60 }>> = {
  hour: { hours: 1, stepMinutes: 5 },
  day: { hours: 24, stepMinutes: 15 },
  week: { hours: 168, stepMinutes: 60 },
}

type Row = TrafficReply['rows'][number]

export interface Course {
  readonly times: readonly number[]
  readonly sent: readonly number[]
  readonly received: readonly number[]
  readonly failed: readonly number[]
}

export interface Durations {
  readonly times: readonly number[]
  readonly half: readonly (number | null)[]
  readonly nearlyAll: readonly (number | null)[]
}

/** Returns the messages of a reply at even times. Times without a row had none. */
export function makeCourse(reply: TrafficReply): Course {
  const { times, rows } = spread(reply)
  const column = (name: 'sent' | 'received' | 'failed') => rows.map((row) => row?.[name] ?? 0)
  return { times, sent: column('sent'), received: column('received'), failed: column('failed') }
}

/** Returns the messages of the last hour, minute by minute: the present minute included. */
export function makeLastHour({ minutes }: Pick<FiguresReply, 'minutes'>): Course {
  return {
    times: minutes.map(({ at }) => Date.parse(at)),
    sent: minutes.map(({ sent }) => sent),
    received: minutes.map(({ received }) => received),
    failed: minutes.map(({ failed }) => failed),
  }
}

/** Returns how long deliveries took, in seconds, at even times. */
export function makeDurations(reply: TrafficReply): Durations {
  const { times, rows } = spread(reply)
  return {
    times,
    half: rows.map((row) => row?.p50Seconds ?? null),
    nearlyAll: rows.map((row) => row?.p99Seconds ?? null),
  }
}

export interface StateCourse {
  readonly times: readonly number[]
  readonly connected: readonly (number | null)[]
  readonly connecting: readonly (number | null)[]
  readonly disconnected: readonly (number | null)[]
}

/** Returns the accounts by state at even times, the present one too. A row holds until the next; before the first, nothing is known. */
export function makeStates({ at, hours, stepMinutes, accounts }: TrafficReply): StateCourse {
  const stepMs = stepMinutes * 60_000
  const last = Math.floor(Date.parse(at) / stepMs) * stepMs
  const count = Math.round((hours * 3_600_000) / stepMs)
  const times = Array.from({ length: count + 1 }, (_, index) => last - (count - index) * stepMs)
  const rows = times.map((time) => accounts.findLast((row) => Date.parse(row.at) <= time))
  const column = (name: 'connected' | 'connecting' | 'disconnected') => rows.map((row) => row?.[name] ?? null)
  return {
    times,
    connected: column('connected'),
    connecting: column('connecting'),
    disconnected: column('disconnected'),
  }
}

export function sumValues(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function spread({ at, hours, stepMinutes, rows }: TrafficReply): { times: number[]; rows: (Row | undefined)[] } {
  const stepMs = stepMinutes * 60_000
  const present = Math.floor(Date.parse(at) / stepMs) * stepMs
  // The present step is not over, so that it would look like a fall. Alone, it is better than nothing.
  const hasFormer = rows.some((row) => Date.parse(row.at) < present)
  const last = hasFormer ? present - stepMs : present
  const count = Math.round((hours * 3_600_000) / stepMs)
  const known = new Map(rows.map((row) => [Date.parse(row.at), row]))
  const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs)
  return { times, rows: times.map((time) => known.get(time)) }
}
