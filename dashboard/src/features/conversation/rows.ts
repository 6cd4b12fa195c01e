/** Rows of the view of a chat: its messages with day lines and the mark of what is new, then the sends that are not answered yet. */
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import type { OutgoingSend } from '../../hooks/outbox.js'

export type Row = {
  readonly key: string
  /** Start of the day, in milliseconds, if the row is the first of it. */
  readonly day: number | null
  readonly isFirstNew: boolean
  /** True for the first of some messages that one person wrote after each other. */
  readonly isStart: boolean
  /** True if the call that sends it has not been answered and is tried again. */
  readonly isWaiting: boolean
} & (
  | {
      readonly message: Message
      /** All pictures of an album, of which `message` is the first. */
      readonly album?: readonly Message[]
      readonly send?: undefined
    }
  | { readonly send: OutgoingSend; readonly message?: undefined; readonly album?: undefined }
)

const NOT_SENT = new Set(['queued', 'pending'])
/** Time within which messages of one person belong together. */
const TOGETHER_MS = 10 * 60_000
/** Time within which pictures that follow each other are an album. */
const ALBUM_MS = 60_000
/** Pictures that are drawn as an album although no frame of one came before them. */
const ALBUM_MIN = 3
const ALBUM_MAX = 30

export function makeRows(
  items: readonly Message[],
  sends: readonly OutgoingSend[],
  firstNew: string | null,
): readonly Row[] {
  const rows: Row[] = []
  const formatDay = createDays()
  const waiting = new Set(sends.filter(({ state }) => state === 'waiting').map(({ trackId }) => trackId))
  const answered = new Set<string>()
  let last: { readonly who: string; readonly at: number } | undefined
  const isStart = (who: string, at: number, isBroken: boolean): boolean => {
    const starts = isBroken || last === undefined || last.who !== who || at - last.at > TOGETHER_MS
    last = { who, at }
    return starts
  }
  for (let place = 0; place < items.length; place += 1) {
    const message = items[place] as Message
    if (message.track_id) answered.add(message.track_id)
    // Reactions are drawn at their message. A note is a change that was not applied.
    if (message.messageType === 'reaction' || message.messageType === 'note') continue
    const album = findAlbum(items, place, firstNew)
    if (album?.length === 0) continue
    const day = formatDay(message.messageTimestamp)
    const isFirstNew = message.id === firstNew
    rows.push({
      key: message.id,
      day,
      isFirstNew,
      isStart: isStart(chooseWho(message), message.messageTimestamp, day !== null || isFirstNew),
      isWaiting: NOT_SENT.has(message.status) && waiting.has(message.track_id ?? ''),
      message,
      ...(album === undefined ? {} : { album }),
    })
    if (album === undefined) continue
    for (const { track_id: track } of album) if (track) answered.add(track)
    place += album.length - 1
  }
  for (const send of sends)
    if (!answered.has(send.trackId)) {
      const day = formatDay(send.at)
      rows.push({
        key: `send ${send.key}`,
        day,
        isFirstNew: false,
        isStart: isStart('me', send.at, day !== null),
        isWaiting: false,
        send,
      })
    }
  return rows
}

/** Returns a function that returns the start of a day for the first time in it, else null. */
function createDays(): (at: number) => number | null {
  let day = Number.NaN
  let dayEnds = Number.NaN
  return (at) => {
    if (at >= day && at < dayEnds) return null
    const start = new Date(at)
    start.setHours(0, 0, 0, 0)
    day = start.getTime()
    start.setDate(start.getDate() + 1)
    dayEnds = start.getTime()
    return day
  }
}

/**
 * Returns the pictures that are drawn as one album from this place on. The frame of an album has the album of the message after it, which says
 * that the frame itself needs no row.
 */
function findAlbum(items: readonly Message[], place: number, firstNew: string | null): readonly Message[] | undefined {
  const first = items[place] as Message
  if (first.messageType === 'album') {
    const next = items[place + 1]
    const hasPicture = next?.messageType === 'image' || next?.messageType === 'video'
    return hasPicture && chooseWho(next) === chooseWho(first) ? [] : undefined
  }
  if (!isPicture(first)) return undefined
  const found: Message[] = [first]
  for (let next = place + 1; next < items.length && found.length < ALBUM_MAX; next += 1) {
    const message = items[next] as Message
    const before = found.at(-1) as Message
    const isNear = message.messageTimestamp - before.messageTimestamp <= ALBUM_MS
    if (!isPicture(message) || chooseWho(message) !== chooseWho(first) || !isNear || message.id === firstNew) break
    found.push(message)
  }
  const isFramed = items[place - 1]?.messageType === 'album'
  return found.length >= (isFramed ? 2 : ALBUM_MIN) ? found : undefined
}

/** Returns true for a picture or video that can stand in an album: what has a text of its own is drawn alone. */
function isPicture({ messageType, mediaType, status, text = '', content }: Message): boolean {
  const isKind = messageType === 'image' || (messageType === 'video' && mediaType !== 'ptv' && mediaType !== 'gif')
  const isOnce = isObject(content) && content.viewOnce === true
  return isKind && text === '' && !isOnce && status !== 'deleted' && status !== 'failed' && status !== 'canceled'
}

function chooseWho({ fromMe, sender = '' }: Pick<Message, 'fromMe' | 'sender'>): string {
  return fromMe ? 'me' : sender
}

/** Returns the id of the first of the last `count` messages of others; null if there is none. */
export function findFirstUnread(items: readonly Message[], count: number): string | null {
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
