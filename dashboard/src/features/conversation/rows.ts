/** Rows of the view of a chat: its messages with day lines and the mark of what is new, then the sends that are not answered yet. */
import type { Message } from '../../../../schemas/generated.js'
import type { OutgoingSend } from '../../hooks/outbox.js'

export type Row = {
  readonly key: string
  /** Start of the day, in milliseconds, if the row is the first of it. */
  readonly day: number | null
  readonly isFirstNew: boolean
  /** True if the call that sends it has not been answered and is tried again. */
  readonly isWaiting: boolean
} & (
  | { readonly message: Message; readonly send?: undefined }
  | { readonly send: OutgoingSend; readonly message?: undefined }
)

const NOT_SENT = new Set(['queued', 'pending'])

export function rowsOf(
  items: readonly Message[],
  sends: readonly OutgoingSend[],
  firstNew: string | null,
): readonly Row[] {
  const rows: Row[] = []
  let day = Number.NaN
  let dayEnds = Number.NaN
  const dayOf = (at: number): number | null => {
    if (at >= day && at < dayEnds) return null
    const start = new Date(at)
    start.setHours(0, 0, 0, 0)
    day = start.getTime()
    start.setDate(start.getDate() + 1)
    dayEnds = start.getTime()
    return day
  }
  const waiting = new Set(sends.filter(({ state }) => state === 'waiting').map(({ trackId }) => trackId))
  const answered = new Set<string>()
  for (const message of items) {
    if (message.track_id) answered.add(message.track_id)
    // Reactions are drawn at their message. A note is a change that was not applied.
    if (message.messageType === 'reaction' || message.messageType === 'note') continue
    rows.push({
      key: message.id,
      day: dayOf(message.messageTimestamp),
      isFirstNew: message.id === firstNew,
      isWaiting: NOT_SENT.has(message.status) && waiting.has(message.track_id ?? ''),
      message,
    })
  }
  for (const send of sends)
    if (!answered.has(send.trackId))
      rows.push({ key: `send ${send.key}`, day: dayOf(send.at), isFirstNew: false, isWaiting: false, send })
  return rows
}

/** Returns the id of the first of the last `count` messages of others; null if there is none. */
export function firstUnread(items: readonly Message[], count: number): string | null {
  let left = count
  let found: string | null = null
  for (let place = items.length - 1; place >= 0 && left > 0; place -= 1) {
    const item = items[place]
    if (item === undefined || item.fromMe || ['reaction', 'note'].includes(item.messageType ?? '')) continue
    found = item.id
    left -= 1
  }
  return found
}
