import { Readable } from 'node:stream'
import type { StreamEvent, StreamLoss } from './stream-ports.js'

/** One reader of a stream: its position, its wishes, and the text on its way to it. */
export interface StreamReader {
  readonly stream: Readable
  /** The last event that was emitted or skipped; undefined until the start is fixed. */
  readonly cursor: number | undefined
  /** There may be something after the cursor. */
  isBehind: boolean
  /** True once its position was compared with the store. */
  isCompared: boolean
  /** Takes no more until it has read what it has. */
  readonly isFull: boolean
  /** The stream begins after this event. */
  startAt(cursor: number): void
  /** Tells that the store has lost events, and continues at the cursor of the loss. */
  reset(loss: StreamLoss): void
  /** Tells an event if it is wanted. `frame` is made once for all readers. */
  tell(event: StreamEvent, frame: () => string): void
  /** Sends a text that is no event, whatever the reader wishes. Nothing before its start is fixed. */
  say(frame: string): void
  /** Ends the stream with a comment. */
  end(why: string): void
}

export interface StreamReaderOptions {
  readonly cursor: number | undefined
  readonly heartbeatMs: number
  /** Sentences for the reader, told at the beginning. */
  readonly warnings?: readonly string[]
  readonly wants: (event: StreamEvent) => boolean
  /** It has read what it had and may take more. */
  readonly onReadable: () => void
  readonly onEnd: () => void
}

/** Text in memory for one reader; a page that begins below it is still added. */
const BUFFER_MAX_BYTES = 64 * 1024
/** A reader that takes nothing for so many heartbeats is cut off. */
const STALLED_HEARTBEATS = 2
const END_GRACE_MS = 2000
const RETRY_MS = 3000

export function createStreamReader(options: StreamReaderOptions): StreamReader {
  const greeting = greetingWith(options.warnings ?? [])
  let cursor = options.cursor
  let toldCursor = cursor
  let isFull = false
  let isEnded = false
  let graceTimer: NodeJS.Timeout | undefined
  let stalledHeartbeats = 0

  const stream = new Readable({
    highWaterMark: BUFFER_MAX_BYTES,
    read() {
      stalledHeartbeats = 0
      if (!isFull) return
      isFull = false
      options.onReadable()
    },
    destroy(error, callback) {
      clearInterval(heartbeat)
      clearTimeout(graceTimer)
      options.onEnd()
      callback(error)
    },
  })
  const heartbeat = setInterval(beat, options.heartbeatMs)
  // Only when the start is fixed does the reader hear anything: from then on it misses nothing.
  if (cursor !== undefined) write(greeting)

  return {
    stream,
    isBehind: true,
    isCompared: false,
    get cursor() {
      return cursor
    },
    get isFull() {
      return isFull
    },
    startAt(start) {
      this.isCompared = true
      cursor = start
      toldCursor = start
      write(`id: ${start}\n${greeting}`)
    },
    reset(loss) {
      cursor = loss.cursor
      toldCursor = loss.cursor
      write(resetFrame(loss))
    },
    tell(event, frame) {
      cursor = event.cursor
      if (!options.wants(event)) return
      toldCursor = event.cursor
      write(frame())
    },
    say(frame) {
      if (cursor !== undefined) write(frame)
    },
    end,
  }

  function write(text: string): void {
    if (!stream.destroyed && !isEnded && !stream.push(text)) isFull = true
  }

  function beat(): void {
    if (isFull) {
      stalledHeartbeats += 1
      if (stalledHeartbeats >= STALLED_HEARTBEATS)
        end('cut off: nothing was read for too long; resume with Last-Event-ID')
      return
    }
    // An id without data moves the position of a reader whose filters let little through (WHATWG HTML 9.2.6).
    const id = cursor === undefined || cursor === toldCursor ? '' : `id: ${cursor}\n`
    toldCursor = cursor
    write(`${id}: heartbeat\n\n`)
  }

  function end(why: string): void {
    if (stream.destroyed || isEnded) return
    isEnded = true
    stream.push(`: ${why}\n\n`)
    stream.push(null)
    clearInterval(heartbeat)
    // One that reads comes to the end by itself; one that does not is not waited for.
    graceTimer = setTimeout(() => stream.destroy(), END_GRACE_MS)
  }
}

/** Warnings are an SSE event with a name, so that readers of our events, which have none, do not take them for one. */
function greetingWith(warnings: readonly string[]): string {
  const told = warnings.length === 0 ? '' : `event: warnings\ndata: ${JSON.stringify({ warnings })}\n\n`
  return `retry: ${RETRY_MS}\n: connected\n\n${told}`
}

/**
 * An event as text of a stream: the body that webhooks get, so that one parser serves both, plus `type` and `data` for clients
 * that were written for `{type, data}`. A `type` that the body has itself (`ReadReceipt`, …) stays.
 */
export function formatFrame(event: StreamEvent): string {
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
function resetFrame({ cursor, era, lostFrom, lostUntil }: StreamLoss): string {
  return `id: ${cursor}\n${announcementFrame('reset', { era, lostFrom, lostUntil, advice: RESET_ADVICE })}`
}

const partNames = ['message', 'messages', 'event', 'instance', 'contact', 'label', 'chat'] as const

/** Returns the subject of the event, under the name that its kind gives it. */
function mainPart(body: Readonly<Record<string, unknown>>): unknown {
  const name = partNames.find((part) => part in body)
  return name === undefined ? {} : body[name]
}
