/**
 * Holds sends until the gateway has answered. Each keeps its Idempotency-Key, so that a retry after a lost answer sends nothing twice. It
 * outlives the page of a chat, not the tab.
 */
import type { Message } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import type { Operations } from '../api/generated.js'
import { Problem } from '../api/problem.js'
import { makeRandomKey } from '../api/random-key.js'
import type { LocalFile } from '../features/composer/content.js'
import type { Draft } from '../features/composer/draft.js'
import { fillBody } from '../features/composer/filled-body.js'
import type { SendOptions } from '../features/composer/request.js'

export type SendOperation =
  | 'sendText'
  | 'sendMedia'
  | 'sendAlbum'
  | 'sendContact'
  | 'sendLocation'
  | 'sendMenu'
  | 'sendCarousel'
  | 'sendPixButton'

export interface NewSend<One extends SendOperation = SendOperation> {
  readonly operation: One
  readonly body: Operations[One]['body']
  readonly instanceId: string
  readonly chatId: string
  /** What the row shows until the answer comes. */
  readonly shown: Pick<Message, 'messageType'> & { readonly text: string; readonly quoted?: string }
  /** Local files, whose marks stand in the body until it is sent. */
  readonly files?: ReadonlyMap<string, LocalFile>
  /** What the composer had, to open it again if the gateway refuses. */
  readonly written?: Written
}

export interface Written {
  readonly draft: Draft
  readonly options: SendOptions
}

export interface OutgoingSend extends NewSend {
  readonly key: string
  /** The message has it too, by which its row replaces that of the send. */
  readonly trackId: string
  readonly at: number
  /** `waiting`: the gateway did not answer; another try follows. `failed`: it refused, and nothing was sent. */
  readonly state: 'sending' | 'waiting' | 'failed'
  readonly problem: Problem | null
}

/** Errors after which the message may have left, or leaves if it is asked for again. */
const RETRIED = new Set([
  'INTERNAL',
  'INSTANCE_MOVING',
  'NODE_BUSY',
  'NODE_FAILED',
  'NOT_OWNER',
  'OUTCOME_UNKNOWN',
  'RATE_LIMITED',
  'STORE_UNAVAILABLE',
])
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 15_000

const NO_FILES: ReadonlyMap<string, LocalFile> = new Map()

let sends: readonly OutgoingSend[] = []
const listeners = new Set<() => void>()
/** The end of the first try of the last send with a file, by its chat: files arrive in the order in which they were given. */
const tails = new Map<string, Promise<void>>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const retries = new Map<string, () => void>()

export function subscribeOutbox(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function readOutbox(): readonly OutgoingSend[] {
  return sends
}

/** Sends at once, and again until the gateway answers. Returns the key. */
export function post<One extends SendOperation>(
  send: NewSend<One>,
  credential: () => Credential | undefined,
  onSent: (message: Message) => void,
): string {
  const key = makeRandomKey()
  // The event of the message may come before the answer: the page knows it by the track id.
  const body = { track_source: 'dashboard', track_id: key, ...send.body }
  const trackId = body.track_id ?? key
  set([...sends, { ...send, body, key, trackId, at: Date.now(), state: 'sending', problem: null } as OutgoingSend])
  void begin(send, () => attemptSend(key, 0, credential, onSent))
  return key
}

async function begin({ instanceId, chatId, files = NO_FILES }: NewSend, first: () => Promise<void>): Promise<void> {
  if (files.size === 0) return await first()
  const chat = `${instanceId} ${chatId}`
  const mine = (tails.get(chat) ?? Promise.resolve()).then(first)
  tails.set(chat, mine)
  await mine
  if (tails.get(chat) === mine) tails.delete(chat)
}

/** Forgets a send that was refused. */
export function dropSend(key: string): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  retries.delete(key)
  set(sends.filter((one) => one.key !== key))
}

/** Tries waiting sends now, such as when the stream is open again. */
export function retryOutbox(): void {
  for (const retry of [...retries.values()]) retry()
}

async function attemptSend(
  key: string,
  count: number,
  credential: () => Credential | undefined,
  onSent: (message: Message) => void,
): Promise<void> {
  retries.delete(key)
  clearTimeout(timers.get(key))
  const send = sends.find((one) => one.key === key)
  const token = credential()
  if (send === undefined) return
  try {
    if (token === undefined) throw new Problem('OFFLINE', 0, 'There is no pass for this instance yet.')
    const body = await fillBody(send.body, send.files ?? NO_FILES).catch(() => {
      throw new Problem('FILE_UNREADABLE', 400, 'The file can no longer be read. Choose it again.')
    })
    // Each operation has its own body, which the caller's types have checked.
    const message = await call(send.operation, token, { body: body as never, idempotencyKey: key })
    onSent(message as unknown as Message)
    set(sends.filter((one) => one.key !== key))
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('UNKNOWN', 0, String(error))
    if (!isUnknown(problem)) return change(key, { state: 'failed', problem })
    change(key, { state: 'waiting', problem })
    const again = () => void attemptSend(key, count + 1, credential, onSent)
    retries.set(key, again)
    const waitMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** count) * (0.5 + Math.random() / 2)
    timers.set(key, setTimeout(again, waitMs))
  }
}

/** Returns true if the same call may yet succeed, and sends once under its key. */
function isUnknown({ status, code }: Problem): boolean {
  return status === 0 || code.startsWith('HTTP_5') || RETRIED.has(code)
}

function change(key: string, next: Partial<OutgoingSend>): void {
  set(sends.map((one) => (one.key === key ? { ...one, ...next } : one)))
}

function set(next: readonly OutgoingSend[]): void {
  sends = next
  for (const listener of listeners) listener()
}
