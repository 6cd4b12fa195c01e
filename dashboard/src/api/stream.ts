/** Follows events by fetch, since an EventSource would put the token into the address. */
import { type Credential, makeCredentialHeader } from './client.js'
import { gatewayUrl } from './places.js'
import { isObject, readProblem } from './problem.js'
import type { StreamEvent } from './stream-event.js'

interface StreamOptions {
  readonly credential: Credential
  readonly events: string
  /** Called when a stream opens, since something may have happened before. */
  readonly onOpen: () => void
  readonly onEvent: (event: StreamEvent) => void
  /** Called when the gateway refuses the token. */
  readonly onRefused: () => void
}

const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 15_000
/** A stream in a hidden tab takes one of the few connections of the browser. */
const HIDDEN_MS = 30_000

/** Returns a function that ends it. */
export function followStream({ credential, events, onOpen, onEvent, onRefused }: StreamOptions): () => void {
  let isEnded = false
  let attempt = 0
  let lastEventId = ''
  let running: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', onVisibility)
  void run()

  function onVisibility(): void {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(() => running?.abort(), HIDDEN_MS)
    else if (running === undefined) void run()
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    const controller = new AbortController()
    running = controller
    try {
      await readOnce(controller.signal)
    } catch {
      // Any end is followed by a retry.
    }
    if (running === controller) running = undefined
    if (isEnded || document.hidden) return
    const delayMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
    attempt += 1
    timer = setTimeout(run, delayMs)
  }

  async function readOnce(signal: AbortSignal): Promise<void> {
    const response = await fetch(`${gatewayUrl}/sse?events=${encodeURIComponent(events)}`, {
      headers: { ...makeCredentialHeader(credential), ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }) },
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    if (!response.ok || response.body === null) {
      const { status } = await readProblem(response)
      // A key for one chat gets no streams.
      if (status >= 400 && status < 500 && status !== 429) isEnded = true
      if (status === 401) onRefused()
      return
    }
    attempt = 0
    onOpen()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const frames = (rest + part.value).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  }

  function take(frame: string): void {
    const lines = frame.split('\n')
    // The database went back in time: all must be read again.
    if (lines.includes('event: reset')) onOpen()
    const id = lines
      .find((line) => line.startsWith('id:'))
      ?.slice(3)
      .trim()
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : [])).join('\n')
    if (id !== undefined) lastEventId = id
    if (data === '') return
    const event: unknown = JSON.parse(data)
    if (isObject(event)) onEvent(event)
  }

  return () => {
    isEnded = true
    clearTimeout(timer)
    clearTimeout(hiddenTimer)
    document.removeEventListener('visibilitychange', onVisibility)
    running?.abort()
  }
}
