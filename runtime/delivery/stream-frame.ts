import type { StreamEvent } from './stream.js'

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

const partNames = ['message', 'messages', 'event', 'instance', 'contact', 'label', 'chat'] as const

/** Returns the subject of the event, under the name that its kind gives it. */
function mainPart(body: Readonly<Record<string, unknown>>): unknown {
  const name = partNames.find((part) => part in body)
  return name === undefined ? {} : body[name]
}
