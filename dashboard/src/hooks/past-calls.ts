/** Calls as the stored events tell them. */
import { isObject } from '../api/problem.js'

export interface PastCall {
  readonly id: string
  readonly with: string
  readonly isOutgoing: boolean
  readonly isVideo: boolean
  /** The last state that an event told. */
  readonly state: string
  readonly atMs: number
}

const SHOWN_MAX = 100

/** Returns a call for each id, with its last state. */
export function collectCalls(events: readonly Readonly<Record<string, unknown>>[]): readonly PastCall[] {
  const calls = new Map<string, PastCall>()
  for (const { state, event } of events) {
    if (!isObject(event)) continue
    const text = (name: string) => (typeof event[name] === 'string' ? event[name] : '')
    const callId = text('CallID')
    if (callId === '') continue
    const former = calls.get(callId)
    const seconds = typeof event.Timestamp === 'number' ? event.Timestamp : 0
    calls.set(callId, {
      id: callId,
      with: former?.with || text('To') || text('GroupJID') || text('sender_pn') || text('From'),
      isOutgoing: event.IsOutgoing === true,
      isVideo: former?.isVideo || event.IsVideo === true,
      state: typeof state === 'string' ? state : '',
      atMs: former?.atMs || seconds * 1_000,
    })
  }
  return [...calls.values()].toReversed().slice(0, SHOWN_MAX)
}
