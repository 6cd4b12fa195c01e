import { errorText } from '../../lib/error-text.js'
import { type CallRule, type CallSettings, parseCallSettings } from '../../schemas/instance-settings.js'
import { type ChatAddress, toChatId } from '../../schemas/jid.js'
import { newMessageId } from '../../schemas/message-id.js'
import type { CallEvent } from '../network/port/calls.js'
import { findCaller, rejectedCall } from './calls.js'
import type { StoredCall } from './instance-reader.js'
import { RateLimit } from './rate-limit.js'
import { RecentMap } from './recent-map.js'
import type { SendsContext } from './sends/context.js'
import type { Sends } from './sends/sends.js'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000
/** Maximum of calls that are rejected in a minute. Each one costs a request to the network. */
const REJECTIONS_PER_MINUTE = 30
/** Maximum of texts in an hour, to all chats. A caller who has many accounts must not make this one send without end. */
const TEXTS_PER_HOUR = 20
const REMEMBERED_MAX = 1_000

/**
 * Rejects calls by itself, as the settings of the instance say, and sends a text to the chat of the caller. The text takes the way of any
 * queued message. The limits are kept in memory: a caller cannot reset them, and a restart costs a chat one more text at most.
 */
export class CallRejections {
  readonly #context: SendsContext
  readonly #sends: Pick<Sends, 'send'>
  readonly #isRestricted: () => boolean
  readonly #rejections = new RateLimit(REJECTIONS_PER_MINUTE, MINUTE_MS)
  readonly #texts = new RateLimit(TEXTS_PER_HOUR, HOUR_MS)
  /** Times at which chats had a text, by the monotonic clock. */
  readonly #answered = new RecentMap<string, number>(REMEMBERED_MAX)
  readonly #seen = new RecentMap<string, true>(REMEMBERED_MAX)
  #settings: Promise<CallSettings> | null = null

  /** @param isRestricted returns true while the network lets the account begin no chats */
  constructor(context: SendsContext, sends: Pick<Sends, 'send'>, isRestricted: () => boolean) {
    this.#context = context
    this.#sends = sends
    this.#isRestricted = isRestricted
  }

  settings(): Promise<CallSettings> {
    if (this.#settings !== null) return this.#settings
    const { id, reader } = this.#context
    const loading = reader.callSettings(id).then(parseCallSettings)
    this.#settings = loading
    loading.catch(() => {
      if (this.#settings === loading) this.#settings = null
    })
    return loading
  }

  /** Takes settings over that are stored. */
  use(settings: CallSettings): void {
    this.#settings = Promise.resolve(settings)
  }

  /** Rejects a call that rings, if the settings say so. Never throws. */
  onCall(call: CallEvent): void {
    // A call that waited at the network has ended long ago.
    if (call.state !== 'ringing' || call.wasQueued === true || this.#seen.has(call.id)) return
    this.#seen.set(call.id, true)
    this.#handle(call).catch((error: unknown) =>
      this.#context.logger.info({ error: errorText(error) }, 'A call was not rejected by itself.'),
    )
  }

  async #handle(call: CallEvent): Promise<void> {
    const { account, connection, journal, timing, logger } = this.#context
    const rule = (await this.settings())[call.group === undefined ? 'people' : 'groups']
    if (!rule.reject) return
    if (!this.#rejections.take()) {
      logger.warn('An instance is called so often that a call was left to ring.')
      return
    }
    const told = storedCall(call)
    const to = findCaller(told, account.own)
    const live = await connection(0)
    await live.calls.reject({ id: told.id, to, creator: told.creator }, timing.ackTimeoutMs)
    await journal.write([rejectedCall(told, account.own ?? call.from)])
    await this.#answer(call, rule)
  }

  async #answer(call: CallEvent, { text }: CallRule): Promise<void> {
    const chat: ChatAddress = call.group === undefined ? call.from : { group: call.group }
    const number = toChatId(chat)
    // It may be a first message to a stranger, and each refused one makes a restriction worse.
    const wasAnswered = performance.now() - (this.#answered.get(number) ?? -HOUR_MS) < HOUR_MS
    if (this.#isRestricted() || text.trim() === '' || wasAnswered || !this.#texts.take()) return
    this.#answered.set(number, performance.now())
    await this.#sends.send({
      type: 'send',
      messageid: newMessageId(),
      number,
      content: { kind: 'text', text },
      options: { async: true, trackSource: 'call' },
    })
  }
}

function storedCall({ id, fromJid, creator, creatorAlternative, group }: CallEvent): StoredCall {
  const others = { creatorAlternative: creatorAlternative ?? null, group: group ?? null }
  return { id, state: '', from: fromJid, creator, ...others }
}
