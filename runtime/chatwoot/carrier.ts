/** Brings events of an instance to its Chatwoot. A lane of deliveries runs it in place of a POST. */
import { cut } from '../../lib/cut.js'
import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Carried, Carrier, NextDelivery } from '../delivery/ports.js'
import type { PostOutcome } from '../outgoing/client.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { type ConversationPlace, conversationPlace, otherConversation } from './conversation-place.js'
import { type Carriage, carryMessage, tellDeletion, tellStatus } from './message-carriage.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'
import { shownText, toChatwootText } from './shown-message.js'
import { chatwootState, StateNotes, type StateNotesOptions } from './state-notes.js'

// Bound: 150,000, a field of Chatwoot or of a message.

type Json = Readonly<Record<string, unknown>>

/** Days: what waits is given up by its age, `WEBHOOK_MAX_AGE_HOURS`. */
const ATTEMPTS_MAX = 100_000
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 600_000
/** Of calls that Chatwoot fails while others succeed, and of messages that exceed the limit of a conversation a minute. */
const PASSING_DELAY_MAX_MS = 20_000
/** Attempts at a message that Chatwoot refuses as it is. */
const REFUSED_ATTEMPTS_MAX = 4
const DELIVERED: PostOutcome = { answered: true, statusCode: 200, headers: {}, body: '' }
/** Chats without an answer: statuses, broadcasts and channels. */
const NO_CONVERSATION = /@(broadcast|newsletter)$/

export type CarrierOptions = ChatwootParts & Pick<StateNotesOptions, 'onBack'>

export class ChatwootCarrier implements Carrier {
  readonly #parts: ChatwootParts
  readonly #notes: StateNotes

  constructor(parts: CarrierOptions) {
    this.#parts = parts
    this.#notes = new StateNotes(parts)
  }

  /** @throws what the store throws; the lane runs again later then */
  async carry(instance: InstanceId, chatId: number, delivery: NextDelivery): Promise<Carried> {
    const config = await this.#parts.known.byInstance(instance)
    // The settings were deleted with their receiver, so nothing waits for them.
    if (config === null) return answeredBy(DELIVERED)
    try {
      await this.#carry(config, chatId, delivery)
      this.#notes.succeeded(config, chatId)
      return answeredBy(DELIVERED)
    } catch (error) {
      if (!(error instanceof ChatwootRefusal)) throw error
      this.#notes.failed(config, chatId, chatwootState(error), error.message)
      return refusedBy(error)
    }
  }

  async #carry(config: ChatwootConfig, chatId: number, delivery: NextDelivery): Promise<void> {
    // Bound: 1,048,576, 20,000 values, an event.
    const event = JSON.parse(delivery.body) as Json
    if (delivery.kind === 'messages_update') await this.#carryUpdate(config, chatId, event, delivery)
    else if (delivery.kind === 'messages') await this.#carryMessage(config, chatId, event, delivery)
  }

  async #carryMessage(config: ChatwootConfig, chatId: number, event: Json, delivery: NextDelivery): Promise<void> {
    const { store } = this.#parts
    const record = toObject(event.message)
    const messageid = toText(record.messageid)
    const chat = toObject(event.chat)
    if (isOlder(record, config) || NO_CONVERSATION.test(toText(record.chatid))) return
    if (record.isGroup === true && config.ignoreGroups) return
    const row = await store.messages.byId(config.instance, messageid)
    // It came from Chatwoot, or is there already.
    if (row !== null && (row.isReply || row.cwId !== null)) return
    const place = await this.#findPlace(config, chatId, record, chat)
    const about = toText(record.messageType) === 'reaction' ? toText(record.reaction) : toText(record.quoted)
    await this.#inConversation(place, {
      key: messageid,
      source: `WAID:${messageid}`,
      content: shownText(record),
      record,
      fromMe: record.fromMe === true,
      about,
      timestampMs: Number(record.messageTimestamp),
      attempts: delivery.attempts,
    })
    await place.contacts.follow(place.row, readPerson(record, chat)).catch(unlessStore)
  }

  async #carryUpdate(config: ChatwootConfig, chatId: number, event: Json, delivery: NextDelivery): Promise<void> {
    const { store } = this.#parts
    const details = toObject(event.event)
    const ids = Array.isArray(details.MessageIDs) ? details.MessageIDs.map(String) : []
    const state = toText(event.state)
    for (const messageid of ids) {
      const row = await store.messages.byId(config.instance, messageid)
      if (row === null && event.type === 'Unreadable' && state === 'Unavailable')
        await this.#carryLoss(config, chatId, messageid, details, delivery)
      // It was not carried: it is older than the settings, or of a chat that is left out.
      if (row === null || row.cwId === null) continue
      if (state === 'Deleted') await tellDeletion(this.#parts, config, row, delivery.attempts)
      else if (state === 'Edited') await this.#carryEdit(config, chatId, row.fromMe, messageid, details, delivery)
      else if (state !== 'Noted') await tellStatus(this.#parts, config, row, state, toText(details.reason))
    }
  }

  /** Shows that a message came whose content did not. Until then nothing is shown, and content that comes later is a message as any other. */
  async #carryLoss(
    config: ChatwootConfig,
    chatId: number,
    messageid: string,
    details: Json,
    delivery: NextDelivery,
  ): Promise<void> {
    const jid = toText(details.Chat)
    if (NO_CONVERSATION.test(jid) || (details.IsGroup === true && config.ignoreGroups)) return
    const key = `${messageid}#lost`
    if ((await this.#parts.store.messages.byId(config.instance, key))?.cwId != null) return
    const place = await conversationPlace(this.#parts, config, chatId, { jid, lid: toText(details.chat_lid), name: '' })
    await this.#inConversation(place, {
      key,
      source: `WAID:${key}`,
      content: '(a message whose content did not arrive; the phone shows it)',
      fromMe: details.IsFromMe === true,
      about: '',
      timestampMs: Date.now(),
      attempts: delivery.attempts,
    })
  }

  async #carryEdit(
    config: ChatwootConfig,
    chatId: number,
    fromMe: boolean,
    messageid: string,
    details: Json,
    delivery: NextDelivery,
  ): Promise<void> {
    const jid = toText(details.Chat)
    const place = await conversationPlace(this.#parts, config, chatId, { jid, lid: toText(details.chat_lid), name: '' })
    const mark = delivery.eventId.slice(0, 8)
    await this.#inConversation(place, {
      key: `${messageid}#${mark}`,
      source: `WAID:${messageid}#${mark}`,
      content: `✏️ ${toChatwootText(toText(details.Text))}`,
      fromMe,
      about: messageid,
      timestampMs: Number(details.Timestamp ?? 0) * 1_000,
      attempts: delivery.attempts,
    })
  }

  async #findPlace(config: ChatwootConfig, chatId: number, record: Json, chat: Json): Promise<ConversationPlace> {
    return await conversationPlace(this.#parts, config, chatId, readPerson(record, chat))
  }

  /** Makes another conversation once, if this one was deleted there. */
  async #inConversation(place: ConversationPlace, carriage: Carriage): Promise<void> {
    try {
      await carryMessage(this.#parts, place, carriage)
    } catch (error) {
      if (!(error instanceof ChatwootRefusal) || error.kind !== 'missing') throw error
      await this.#parts.store.messages.forget(place.config.instance, carriage.key)
      await carryMessage(this.#parts, await otherConversation(this.#parts, place), carriage)
    }
  }
}

function readPerson(record: Json, chat: Json) {
  const jid = toText(record.chatid) || toText(chat.wa_chatid)
  const name =
    toText(chat.wa_contactName) || toText(chat.wa_name) || toText(chat.name) || atName(toText(chat.wa_username))
  return { jid, lid: toText(record.chatlid) || toText(chat.wa_chatlid), name: cut(name, 200) }
}

function atName(username: string): string {
  return username === '' ? '' : `@${username}`
}

function answeredBy(outcome: PostOutcome): Carried {
  const policy = {
    attemptsMax: ATTEMPTS_MAX,
    refusedAttemptsMax: ATTEMPTS_MAX,
    delayMinMs: DELAY_MIN_MS,
    delayMaxMs: DELAY_MAX_MS,
  }
  return { outcome, policy }
}

/** Returns an outcome by which the lane waits as it should: trouble of the server is of all lanes, all else of this one. */
function refusedBy(error: ChatwootRefusal): Carried {
  const { kind, statusCode, message, retryAfter } = error
  const carried = answeredBy({ answered: false, error: message })
  const passing = { ...carried, policy: { ...carried.policy, delayMaxMs: PASSING_DELAY_MAX_MS } }
  const answer = (status: number): PostOutcome => ({ answered: true, statusCode: status, headers: {}, body: message })
  switch (kind) {
    // While it is away as a whole, the breaker holds its lanes.
    case 'away':
      return { ...passing, ...(statusCode >= 500 ? { outcome: answer(statusCode) } : {}) }
    case 'busy': {
      if (statusCode === 429) {
        const headers: Record<string, string> = { 'retry-after': retryAfter === '' ? '5' : retryAfter }
        return { ...carried, outcome: { answered: true, statusCode: 429, headers, body: message } }
      }
      return { ...passing, outcome: answer(422) }
    }
    // Until somebody corrects the settings.
    case 'auth':
    case 'missing':
      return { ...carried, outcome: answer(kind === 'auth' ? 401 : 404) }
    default:
      return {
        ...carried,
        outcome: answer(422),
        policy: { ...carried.policy, refusedAttemptsMax: REFUSED_ATTEMPTS_MAX },
      }
  }
}

function unlessStore(error: unknown): void {
  if (error instanceof GatewayError || !(error instanceof ChatwootRefusal)) throw error
}

function toObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Only new messages are carried. The network counts in seconds. */
function isOlder({ messageTimestamp }: Json, { enabledAtMs }: ChatwootConfig): boolean {
  return Number(messageTimestamp) < Math.floor(enabledAtMs / 1_000) * 1_000
}
