import type { StoredPacing } from '../../../schemas/pacing.js'

// Ours: the pace of an instance, as we stored it.

/** Cause for which messages to people who never wrote rest. */
export type RestCause = 'reachout_timelock' | 'new_chat_message_capping' | 'new_chat_refusals'

const REST_CAUSES: ReadonlySet<RestCause> = new Set([
  'reachout_timelock',
  'new_chat_message_capping',
  'new_chat_refusals',
])

/** The state of the pacing that survives restarts. Times are Unix milliseconds by PostgreSQL's clock; 0: never. */
export interface PacerState {
  /** Sends that may leave now, and the time at which they were counted. Below 0 after direct sends. */
  tokens: number
  refilledAtMs: number
  /** Time of the last paced send. */
  pacedAtMs: number
  /** The UTC day that the budget counts, in days since 1970, and the messages to people who never wrote on it. */
  day: number
  newChats: number
  /** The day on which the end of its budget was reported; 0: not yet. */
  budgetReportedOn: number
  /** All paced sends rest until then, because the network refused messages for their rate. `steps`: such rests in a row. */
  restUntilMs: number
  restSteps: number
  /** The pace is halved until then. */
  slowUntilMs: number
  /** People who never wrote get nothing until then. Null: no such rest. */
  restOfNew: { readonly untilMs: number; readonly cause: RestCause; readonly sinceMs: number } | null
  /** True from the beginning of such a rest until a message to a person who never wrote was taken again. */
  isProbing: boolean
  /** Rests of that kind in a row that the network gave no end for. */
  probeSteps: number
  /** Refusals (463) in a row of different people, without a restriction of the account. */
  refusals: number
  /** Length of the last rest of that kind. Messages that waited through it are so much older. */
  restedMs: number
}

export const DAY_MS = 86_400_000

const FRESH: PacerState = {
  tokens: 1,
  refilledAtMs: 0,
  pacedAtMs: 0,
  day: 0,
  newChats: 0,
  budgetReportedOn: 0,
  restUntilMs: 0,
  restSteps: 0,
  slowUntilMs: 0,
  restOfNew: null,
  isProbing: false,
  probeSteps: 0,
  refusals: 0,
  restedMs: 0,
}

/** Maximum times ahead. A later one was written while PostgreSQL's clock was wrong. */
const AHEAD_MAX = { rest: 15 * 60_000, slow: DAY_MS, restOfNew: 32 * DAY_MS }
export const RESTED_MAX_MS = AHEAD_MAX.restOfNew

/** Reads the stored state. A field that is not readable counts as fresh; a time too far ahead is brought near. */
export function parseState({ state, nowMs }: Pick<StoredPacing, 'state' | 'nowMs'>): PacerState {
  const read = readable(parsed(state))
  const near = (timeMs: number, aheadMs: number): number => Math.min(timeMs, nowMs + aheadMs)
  const { restOfNew } = read
  return {
    ...read,
    refilledAtMs: near(read.refilledAtMs, 0),
    pacedAtMs: near(read.pacedAtMs, 0),
    restUntilMs: near(read.restUntilMs, AHEAD_MAX.rest),
    slowUntilMs: near(read.slowUntilMs, AHEAD_MAX.slow),
    restOfNew: restOfNew && {
      ...restOfNew,
      untilMs: near(restOfNew.untilMs, AHEAD_MAX.restOfNew),
      sinceMs: near(restOfNew.sinceMs, 0),
    },
  }
}

/** Returns the state with each field that has the type of its kind. The text may come from the file of another installation. */
function readable(stored: Readonly<Record<string, unknown>>): PacerState {
  // Fields that only a newer node knows are kept.
  const state: PacerState = { ...stored, ...FRESH, restOfNew: parseRest(stored.restOfNew) }
  for (const [name, fresh] of Object.entries(FRESH)) {
    const value = stored[name]
    const isReadable = typeof fresh === 'boolean' ? typeof value === 'boolean' : fresh !== null && isAmount(name, value)
    if (isReadable) Object.assign(state, { [name]: value })
  }
  return state
}

function parseRest(value: unknown): PacerState['restOfNew'] {
  const { untilMs, cause, sinceMs } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (!REST_CAUSES.has(cause as RestCause) || !isAmount('untilMs', untilMs) || !isAmount('sinceMs', sinceMs))
    return null
  return { untilMs, cause: cause as RestCause, sinceMs }
}

/** Direct sends take tokens that are not there yet. Everything else is a number of things, or a time. */
function isAmount(name: string, value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (name === 'tokens' || value >= 0)
}

function parsed(state: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(state || '{}') as unknown
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

export function toDayNumber(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}

export function endOfDay(atMs: number): number {
  return (toDayNumber(atMs) + 1) * DAY_MS
}
