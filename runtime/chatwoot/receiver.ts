/** Takes the webhooks of Chatwoot: checks them, stores those that ask something of us, and leaves the rest to the owner. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { isObject } from '../../schemas/is-object.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { told } from '../store/chatwoot/message-rows.js'
import type { ChatwootParts } from './parts.js'
import { type AgentMessage, placeOf, webhookFacts } from './webhook-facts.js'

export interface ReceiverOptions extends Pick<ChatwootParts, 'store' | 'known' | 'count' | 'logger'> {
  /** Called when a reply was stored. */
  readonly onStored: (instance: InstanceId, conversationId: number) => void
}

/** Maximum difference of the time of a signature from ours. */
const SIGNATURE_AGE_MAX_MS = 300_000
/** Maximum of webhooks of an instance that wait, and of bytes with those that failed. Chatwoot shows further replies as failed. */
const WAITING_MAX = 10_000
const BYTES_MAX = 64_000_000

export class ChatwootReceiver {
  readonly #options: ReceiverOptions

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** @throws GatewayError CHATWOOT_WEBHOOK_REFUSED, CHATWOOT_OFF, MALFORMED_JSON, QUEUE_FULL, STORE_UNAVAILABLE */
  async receive(id: string, secret: string, headers: IncomingHttpHeaders, bytes: Buffer): Promise<void> {
    const instance = id as InstanceId
    const config = await this.#options.known.byInstance(instance)
    if (config === null || !isSame(secret, config.path) || !isSigned(config, headers, bytes)) {
      this.#options.count('webhook_refused')
      throw new GatewayError('CHATWOOT_WEBHOOK_REFUSED')
    }
    const body = parse(bytes)
    const { accountId, inboxId } = placeOf(body)
    const isOther = (given: number, own: number) => given !== 0 && given !== own
    if (config.enabled && !isOther(accountId, config.accountId) && !isOther(inboxId, config.inboxId)) {
      await this.#take(config, body)
      return
    }
    // A former inbox still calls: its agent would take a reply for sent that nobody sends.
    if (webhookFacts(body).type === 'message') throw new GatewayError('CHATWOOT_OFF')
  }

  async #take(config: ChatwootConfig, body: Readonly<Record<string, unknown>>): Promise<void> {
    const { store } = this.#options
    const facts = webhookFacts(body)
    switch (facts.type) {
      case 'own':
        await store.messages.answered(config.instance, facts.messageid, facts.cwId, facts.conversationId)
        break
      case 'message':
        if (facts.message.createdMs >= sinceMs(config)) await this.store(config.instance, 'created', facts.message)
        break
      case 'changed':
        await this.#takeChange(config, facts.message)
        break
      case 'resolved':
        if (config.createNewConversation) await this.#endConversation(config.instance, facts.conversationId)
        break
      default:
    }
  }

  /** Stores what is to be done with a message, and wakes its owner. Returns false when it is known. */
  async store(instance: InstanceId, kind: string, message: AgentMessage): Promise<boolean> {
    const { store, onStored } = this.#options
    const { cwId, conversationId } = message
    if (!Number.isSafeInteger(cwId) || !Number.isSafeInteger(conversationId)) return false
    const { waiting, bytes } = await store.incomings.count(instance)
    if (waiting >= WAITING_MAX || bytes >= BYTES_MAX) throw new GatewayError('QUEUE_FULL')
    const isNew = await store.incomings.insert(instance, { cwId, kind, conversationId, body: JSON.stringify(message) })
    if (isNew) onStored(instance, conversationId)
    return isNew
  }

  /** A deletion, a reply whose first webhook was lost, an agent who asks again, or our own change coming back. */
  async #takeChange(config: ChatwootConfig, message: AgentMessage): Promise<void> {
    const { instance } = config
    const { messages, incomings } = this.#options.store
    const rows = await messages.byCwId(instance, message.cwId)
    if (message.isDeleted) {
      const isOurs = rows.some((row) => row.fromMe && !row.isDeleted)
      if (isOurs || (await incomings.isWaiting(instance, message.cwId))) await this.store(instance, 'deleted', message)
      return
    }
    const failed = await incomings.failed(instance, message.cwId)
    const hasFailed =
      failed.length > 0 || (rows.length > 0 && rows.some((row) => row.isReply && row.told === told.failed))
    if (hasFailed) {
      // Chatwoot clears the error when an agent asks again.
      if (message.error === null)
        await this.store(instance, `retry-${failed.length + rows.length}-${Date.now()}`, message)
      return
    }
    if (rows.length > 0 || message.sourceId !== '' || message.createdMs < sinceMs(config)) return
    if (message.error !== null) await this.store(instance, 'created', message)
  }

  async #endConversation(instance: InstanceId, conversationId: number): Promise<void> {
    const { chats } = this.#options.store
    const chat = await chats.byConversation(instance, conversationId)
    if (chat === null) return
    await chats.update(instance, chat.chatId, {
      conversationId: null,
      formerId: conversationId,
      newestId: 0,
      seenId: 0,
    })
  }
}

/** Time before which messages are none of ours. Chatwoot tells times in whole seconds. */
function sinceMs({ enabledAtMs, linkedAtMs }: ChatwootConfig): number {
  return Math.max(enabledAtMs, linkedAtMs) - 1_000
}

function isSigned({ signature }: ChatwootConfig, headers: IncomingHttpHeaders, bytes: Buffer): boolean {
  if (signature === '') return true
  const [time, given] = [String(headers['x-chatwoot-timestamp'] ?? ''), String(headers['x-chatwoot-signature'] ?? '')]
  if (Math.abs(Number(time) * 1_000 - Date.now()) > SIGNATURE_AGE_MAX_MS || time === '') return false
  const expected = createHmac('sha256', signature).update(`${time}.`).update(bytes).digest('hex')
  return isSame(given, `sha256=${expected}`)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    if (isObject(body)) return body
  } catch {}
  throw new GatewayError('MALFORMED_JSON')
}
