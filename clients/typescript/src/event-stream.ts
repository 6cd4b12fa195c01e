/** Follows the stream of events by `fetch`: `EventSource` cannot set headers, and would need the token in the address. */
import type { EventOptions, StoreLoss, StreamReset } from './client.js'
import { createError, isPermanentRedirect, PosthornError } from './error.js'
import { eventKinds, type PosthornEvent } from './generated.js'
import { pause } from './pause.js'
import { explode, query } from './query.js'

interface StreamOptions extends EventOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

interface Frame {
  readonly id: string | undefined
  /** Empty for our events. */
  readonly name: string
  readonly data: string
}

interface Warned {
  readonly warnings: readonly string[]
}

const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 15_000
const SILENCE_MS = 60_000

/** An endless list of events for `for await`. It ends with its signal, or throws what the gateway refuses, such as a wrong token. */
export class EventStream implements AsyncIterable<PosthornEvent> {
  /**
   * Id of the newest event that the loop has taken, or of a later position without events for it. Kept in a store, and given as `from`, it lets
   * another process continue.
   */
  lastEventId: string
  readonly #options: StreamOptions

  constructor(options: StreamOptions) {
    this.#options = options
    this.lastEventId = options.from ?? ''
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PosthornEvent, void, undefined> {
    const { signal, onLost, onWarnings, onStoreWentBack, onReset } = this.#options
    for (let attempt = 0; !signal?.aborted; attempt += 1) {
      try {
        for await (const frame of this.#connection()) {
          attempt = 0
          // Of a frame that is not complete, or has no data, only the position counts.
          if (frame.id !== undefined && frame.data === '') this.lastEventId = frame.id
          if (frame.data === '') continue
          if (frame.name !== '') {
            if (frame.name === 'warnings') onWarnings?.((JSON.parse(frame.data) as Warned).warnings)
            if (frame.name === 'store') onStoreWentBack?.(JSON.parse(frame.data) as StoreLoss)
            if (frame.name === 'reset') {
              if (frame.id !== undefined) this.lastEventId = frame.id
              onReset?.(JSON.parse(frame.data) as StreamReset)
            }
            continue
          }
          const event = JSON.parse(frame.data) as PosthornEvent
          if (frame.id !== undefined) this.lastEventId = frame.id
          yield event
        }
      } catch (error) {
        if (signal?.aborted) return
        if (isFinal(error)) throw error
        onLost?.(error)
        const asked = error instanceof PosthornError ? (error.retryAfterMs ?? 0) : 0
        const backOffMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
        await pause(Math.max(asked, backOffMs), signal).catch(() => undefined)
      }
    }
  }

  /** Yields the frames of one connection, and throws at its end. */
  async *#connection(): AsyncGenerator<Frame, void, undefined> {
    const { url, headers, kinds, excludeMessages, signal, silenceMs = SILENCE_MS, onOpen } = this.#options
    const controller = new AbortController()
    const stop = (): void => controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    const lost = (): void => controller.abort(new Error(`Nothing was received for ${silenceMs} ms.`))
    let timer = setTimeout(lost, silenceMs)
    try {
      const chosen = { events: kinds?.join(','), excludeMessages: excludeMessages?.join(',') }
      const response = await this.#options.fetch(`${url}/sse${query(explode(chosen))}`, {
        headers: { ...headers, ...(this.lastEventId === '' ? {} : { 'last-event-id': this.lastEventId }) },
        signal: controller.signal,
        redirect: 'manual',
      })
      if (!response.ok || response.body === null) throw createError(response, await response.text())
      if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
        throw new PosthornError({ status: 404, code: 'NOT_POSTHORN', message: 'The answer is not a stream of events.' })
      onOpen?.()
      const reader = response.body.getReader()
      const frames = frameReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) throw new Error('The stream ended.')
        clearTimeout(timer)
        for (const frame of frames(value)) yield frame
        // Not while the loop works on an event.
        timer = setTimeout(lost, silenceMs)
      }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      controller.abort()
    }
  }
}

/** Tells whether a retry of the connection is refused again: a wrong token, a key without the scope, an address that has moved. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof PosthornError)) return false
  if (isPermanentRedirect(error.status)) return true
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
}

/** Returns a function that takes bytes as they arrive and returns the frames that they complete. */
export function frameReader(): (bytes: Uint8Array) => Frame[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (bytes) => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    return parts.map(parseFrame)
  }
}

function parseFrame(text: string): Frame {
  const lines = text.split('\n').map((line) => /^(\w*):? ?(.*)$/s.exec(line))
  const all = (name: string): string[] => lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []))
  return { id: all('id').at(-1), name: all('event').at(-1) ?? '', data: all('data').join('\n') }
}

/** Tells whether this version of the client knows the kind. Newer gateways may send others; ignore them. */
export function isKnownEvent(event: { readonly EventType: string }): event is PosthornEvent {
  return (eventKinds as readonly string[]).includes(event.EventType)
}
