/** Calls that are shown: those that ring, and the last ones that ended. */

export interface SeenCall {
  readonly id: string
  /** Person who calls or is called. */
  readonly from: string
  /** Chat of the caller, or of the group that is called. */
  readonly chatId: string
  readonly isVideo: boolean
  /** As the event names it; `Ringing` until another one comes. */
  readonly state: string
  readonly at: number
}

const SHOWN_MAX = 3
/** The greatest time that a date can have. */
const SECONDS_MAX = 8.64e12

/** Returns the calls after an event, the newest first. */
export function addCall(
  before: readonly SeenCall[],
  state: string,
  event: Readonly<Record<string, unknown>>,
): readonly SeenCall[] {
  const text = (name: string) => (typeof event[name] === 'string' ? event[name] : '')
  const id = text('CallID')
  if (id === '') return before
  const known = before.find((one) => one.id === id)
  // One call may ring twice, by two kinds of events.
  if (known !== undefined) return before.map((one) => (one === known && state !== 'Ringing' ? { ...one, state } : one))
  // A call that the account makes names the person who is called.
  const from = text('To') || text('sender_pn') || text('From')
  const { Timestamp: seconds } = event
  const call = {
    id,
    from,
    chatId: event.IsGroup === true && text('GroupJID') !== '' ? text('GroupJID') : from,
    isVideo: event.IsVideo === true,
    state,
    at: typeof seconds === 'number' && seconds > 0 && seconds < SECONDS_MAX ? seconds * 1_000 : Date.now(),
  }
  return [call, ...before].slice(0, SHOWN_MAX)
}
