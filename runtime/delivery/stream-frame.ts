import type { StreamEvent, StreamLoss } from './stream-ports.js'

/**
 * An event as text of a stream: the body that webhooks get, so that one parser serves both, plus `type` and `data` for clients
 * that were written for `{type, data}`. A `type` that the body has itself (`ReadReceipt`, …) stays.
 */
export function frameOf(event: StreamEvent): string {
  const body = event.body()
  const text = JSON.stringify({ type: event.kind, ...body, data: mainPart(body) })
  return `id: ${event.cursor}\ndata: ${text}\n\n`
}

/** Has no id, so that the position of the reader stays, and a name, so that readers of events do not take it for one. */
export function announcementFrame(name: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** What a reader does after a reset. */
const RESET_ADVICE =
  'The database went back in time: it lost events that this stream had sent or would have sent. The stream continues with the next event. Read chats and messages again, by POST /chat/find and POST /message/find.'

/** A reset is an SSE event with a name, so that readers of our events, which have none, do not take it for one. */
export function resetFrame({ cursor, era, lostFrom, lostUntil }: StreamLoss): string {
  return `id: ${cursor}\n${announcementFrame('reset', { era, lostFrom, lostUntil, advice: RESET_ADVICE })}`
}

const partNames = ['message', 'messages', 'event', 'instance', 'contact', 'label', 'chat'] as const

/** Returns the subject of the event, under the name that its kind gives it. */
function mainPart(body: Readonly<Record<string, unknown>>): unknown {
  const name = partNames.find((part) => part in body)
  return name === undefined ? {} : body[name]
}
