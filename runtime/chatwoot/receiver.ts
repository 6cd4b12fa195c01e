/** Takes the webhooks of Chatwoot: checks them, stores those that ask something of us, and leaves the rest to the owner. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import { isObject } from '../../lib/is-object.js'
import { exceededLimit } from '../../lib/json-shape.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { told } from '../store/chatwoot/message-rows.js'
import { CountedRoom } from '../store/counted-room.js'
import { clockDifference } from './clock-difference.js'
import type { ChatwootParts } from './parts.js'
import { type AgentMessage, readInboxPlace, type WebhookFacts, webhookFacts } from './webhook-facts.js'

// Bound: 150,000, a field of Chatwoot or of a message.

export interface ReceiverOptions extends Pick<ChatwootParts, 'store' | 'known' | 'clock' | 'count' | 'logger'> {
  /** Called when a reply was stored. */
  readonly onStored: (instance: InstanceId, conversationId: number) => void
}

/** Maximum of webhooks of an instance that wait, and of bytes with those that failed. Chatwoot shows further replies as failed. */
const WAITING_MAX = 10_000
const WAITING_BYTES_MAX = 64_000_000
/** Maximum difference of the time of a signature from ours. */
const SIGNATURE_AGE_MAX_MS = 300_000

/** Length of `sha256=` and 64 digits. */
const SIGNATURE_LENGTH = 71
/** A webhook of a conversation has some hundred values, and up to 20 messages. */
const SHAPE_MAX = { depthMax: 32, keysMax: 10_000, valuesMax: 10_000 }

export class ChatwootReceiver {
  readonly #options: ReceiverOptions
  readonly #room: CountedRoom<InstanceId>
  /** Instances about whose clock a line was written lately. */
  readonly #warned = new LRUCache<InstanceId, true>({ ...entriesMax(1_000), ttl: 600_000 })

  constructor(options: ReceiverOptions) {
    this.#options = options
    this.#room = new CountedRoom({
      rowsMax: WAITING_MAX,
      bytesMax: WAITING_BYTES_MAX,
      async count(instance) {
        const { waiting, bytes } = await options.store.incomings.count(instance)
        return { rows: Number(waiting), bytes: Number(bytes) }
      },
    })
  }

  /** Checks all that can be checked without the body. @throws GatewayError CHATWOOT_WEBHOOK_REFUSED, STORE_UNAVAILABLE */
  async admit(id: string, secret: string, headers: IncomingHttpHeaders): Promise<void> {
    const config = await this.#options.known.byInstance(id as InstanceId)
    if (config !== null && isSame(secret, config.path) && hasSignature(config, headers)) return
    this.#options.count('webhook_refused')
    throw new GatewayError('CHATWOOT_WEBHOOK_REFUSED')
  }

  /** @throws GatewayError CHATWOOT_WEBHOOK_REFUSED, CHATWOOT_OFF, MALFORMED_JSON, INVALID_REQUEST, QUEUE_FULL, STORE_UNAVAILABLE */
  async receive(id: string, secret: string, headers: IncomingHttpHeaders, bytes: Buffer): Promise<void> {
    const instance = id as InstanceId
    const config = await this.#options.known.byInstance(instance)
    if (config === null || !isSame(secret, config.path) || !isSigned(config, headers, bytes)) {
      this.#options.count('webhook_refused')
      throw new GatewayError('CHATWOOT_WEBHOOK_REFUSED')
    }
    if (config.signature !== '') await this.#refuseOld(config, Number(headers['x-chatwoot-timestamp']) * 1_000)
    const body = parse(bytes)
    const { accountId, inboxId } = readInboxPlace(body)
    const isOther = (given: number, own: number) => given !== 0 && given !== own
    if (config.enabled && !isOther(accountId, config.accountId) && !isOther(inboxId, config.inboxId)) {
      await this.#take(config, body)
      return
    }
    // A former inbox still calls: its agent would take a reply for sent that nobody sends.
    if (webhookFacts(body).type === 'message') throw new GatewayError('CHATWOOT_OFF')
  }

  /** @throws GatewayError CHATWOOT_WEBHOOK_REFUSED that says how far the signature is from PostgreSQL's clock */
  async #refuseOld({ instance }: ChatwootConfig, signedMs: number): Promise<void> {
    const { clock, count, logger } = this.#options
    const aheadMs = signedMs - (await clock.nowMs())
    if (Math.abs(aheadMs) <= SIGNATURE_AGE_MAX_MS) return
    count('webhook_refused')
    const why = clockDifference(aheadMs)
    if (!this.#warned.has(instance))
      logger.warn({ instanceId: instance, aheadMs, reason: why }, 'A webhook of Chatwoot was refused.')
    this.#warned.set(instance, true)
    throw new GatewayError('CHATWOOT_WEBHOOK_REFUSED', { message: why })
  }

  async #take(config: ChatwootConfig, body: Readonly<Record<string, unknown>>): Promise<void> {
    const { store } = this.#options
    const facts = webhookFacts(body)
    refuseWithoutIds(facts)
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
    if (cwId === 0 || conversationId === 0) return false
    const body = JSON.stringify(message)
    if (await this.#room.isFull(instance)) throw new GatewayError('QUEUE_FULL')
    const isNew = await store.incomings.insert(instance, { cwId, kind, conversationId, body })
    if (isNew) {
      await this.#room.note(instance, 1, Buffer.byteLength(body))
      onStored(instance, conversationId)
    }
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

/** Returns true if the headers have the form of a signature, or none is needed. */
function hasSignature({ signature }: ChatwootConfig, headers: IncomingHttpHeaders): boolean {
  if (signature === '') return true
  const given = String(headers['x-chatwoot-signature'] ?? '')
  return given.length === SIGNATURE_LENGTH && Number(headers['x-chatwoot-timestamp']) > 0
}

function isSigned({ signature }: ChatwootConfig, headers: IncomingHttpHeaders, bytes: Buffer): boolean {
  if (signature === '') return true
  const [time, given] = [String(headers['x-chatwoot-timestamp'] ?? ''), String(headers['x-chatwoot-signature'] ?? '')]
  if (!/^\d{1,12}$/.test(time)) return false
  const expected = createHmac('sha256', signature).update(`${time}.`).update(bytes).digest('hex')
  return isSame(given, `sha256=${expected}`)
}

/** @throws GatewayError INVALID_REQUEST that names an id which is none */
function refuseWithoutIds(facts: WebhookFacts): void {
  const ids: Record<string, number> = {}
  if (facts.type === 'message' || facts.type === 'changed')
    Object.assign(ids, { id: facts.message.cwId, 'conversation.id': facts.message.conversationId })
  else if (facts.type === 'own') Object.assign(ids, { id: facts.cwId, 'conversation.id': facts.conversationId })
  else if (facts.type === 'resolved') ids.id = facts.conversationId
  for (const [field, id] of Object.entries(ids))
    if (id === 0) throw invalidField(field, 'must be a whole number above 0')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (exceededLimit(bytes, SHAPE_MAX) !== null) {
    const why = `must not have more than ${SHAPE_MAX.valuesMax} values, or nest deeper than ${SHAPE_MAX.depthMax} levels`
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: the body ${why}.`,
      details: [{ field: '', why }],
    })
  }
  try {
    // Bound: 1,048,576, 10,000 values, counted before.
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    if (isObject(body)) return body
  } catch {}
  throw new GatewayError('MALFORMED_JSON')
}
