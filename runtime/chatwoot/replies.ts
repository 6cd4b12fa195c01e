import { backOffMs } from '../../lib/back-off.js'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { newMessageId } from '../../schemas/message-id.js'
import { readPhoneNumber } from '../../schemas/phone-number.js'
import { asWork, type Work } from '../../schemas/work.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootIncoming, ChatwootLane } from '../store/chatwoot/incoming-rows.js'
import { told } from '../store/chatwoot/message-rows.js'
import { createChatwootApi } from './conversation-place.js'
import { setStatus } from './message-carriage.js'
import { storeMissedReplies } from './missed-replies.js'
import type { ChatwootParts } from './parts.js'
import { ChatwootRefusal } from './refusal.js'
import { type RepliesOptions, ReplySender, replyParts } from './reply-sender.js'
import { type AgentMessage, storedMessage } from './webhook-facts.js'

// Bound: 150,000, a field of Chatwoot or of a message.
/** Replies that are older are not sent: the person may have had another answer meanwhile. */
const REPLY_AGE_MAX_MS = 15 * 60_000
/** A reply waits so long for a Chatwoot that cannot say what was before it. */
const GAPS_MAX_MS = 30_000
const GAPS_AGAIN_MS = 500
const BATCH_MAX = 50
const DELAY_MIN_MS = 500
const DELAY_MAX_MS = 30_000
/** While the account or its node is on the way back, which a node knows without any call. */
const SOON_MAX_MS = 4_000
const TOO_OLD =
  'This reply was not sent: the gateway got it more than 15 minutes late. Send it again if it is still right.'

const BLOCKED_TWICE =
  'This reply was given up and may not have been sent: it blocked the gateway until it ended itself, twice.'

const REFUSED_BY_STORE = 'This reply may not have been sent: the database does not take one of its values.'

const SOON: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['INSTANCE_MOVING', 'INSTANCE_NOT_CONNECTED', 'NOT_OWNER', 'NODE_FAILED', 'NOT_LOGGED_IN'] as const),
])
const RECONNECTED_MS = 30_000

/** Failures that pass by themselves. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...SOON,
  ...(['STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'NODE_BUSY', 'RATE_LIMITED'] as const),
  ...(['MEDIA_STORAGE_UNAVAILABLE', 'MEDIA_UPLOAD_FAILED', 'FETCH_FAILED'] as const),
])

export function laneName({ instance, conversationId }: ChatwootLane): string {
  return `${instance}:${conversationId}`
}

export function instanceOfLane(name: string): InstanceId {
  return name.slice(0, name.lastIndexOf(':')) as InstanceId
}

export class ChatwootReplies {
  readonly #options: RepliesOptions
  readonly #sender: ReplySender

  constructor(options: RepliesOptions) {
    this.#options = options
    this.#sender = new ReplySender(options)
  }

  /** @throws the error of the store; the lane is to be run again then */
  async run(key: string): Promise<void> {
    const { store, known, isOurs, wakeIn } = this.#options
    const instance = instanceOfLane(key)
    const lane = { instance, conversationId: Number(key.slice(instance.length + 1)) }
    const config = await known.byInstance(lane.instance)
    if (config === null || !config.enabled) return
    await this.#giveUp(config, await store.incomings.waiting(lane, BATCH_MAX))
    const waitsMs = await this.#fillGaps(config, lane)
    if (waitsMs > 0) {
      wakeIn(key, waitsMs)
      return
    }
    const rows = await store.incomings.waiting(lane, BATCH_MAX)
    for (const row of rows) {
      if (!isOurs(lane.instance)) return
      if (row.dueInMs > 0) {
        wakeIn(key, row.dueInMs)
        return
      }
      const delayMs = await asWork(describeReplyWork(lane.instance, row), () => this.#handle(config, row))
      if (delayMs === 0) continue
      await store.incomings.postpone(lane.instance, row.cwId, row.kind, delayMs)
      wakeIn(key, delayMs)
      return
    }
    if (rows.length > 0) wakeIn(key, 0)
  }

  /** Ends replies over which processes ended themselves twice, before anything reads what they say. */
  async #giveUp(config: ChatwootConfig, rows: readonly ChatwootIncoming[]): Promise<void> {
    const { blocked, store, count, logger } = this.#options
    const { instance } = config
    for (const row of rows) {
      const work = describeReplyWork(instance, row)
      if (!(await blocked.isGivenUp(work))) continue
      logger.error(
        { instanceId: instance, cwId: row.cwId },
        'A reply of Chatwoot blocked its node twice and is given up.',
      )
      await store.incomings.fail(instance, row.cwId, row.kind)
      count('reply_failed')
      blocked.forget(work)
      const place = { conversationId: row.conversationId, cwId: row.cwId }
      await setStatus(this.#options, config, place, told.failed, BLOCKED_TWICE).catch(unlessStore)
    }
  }

  /**
   * Webhooks come in any order, and some never. Before a reply is sent, those before it are looked for. Returns the time to wait; 0 when
   * there is none.
   */
  async #fillGaps(config: ChatwootConfig, lane: ChatwootLane): Promise<number> {
    const rows = await this.#options.store.incomings.waiting(lane, BATCH_MAX)
    const fresh = rows.find(({ attempts, kind }) => attempts === 0 && kind === 'created')
    if (fresh === undefined) return 0
    const endMs = performance.now() + GAPS_MAX_MS
    try {
      await asWork(describeReplyWork(lane.instance, fresh), async () => {
        const { contactId, contactSource: sourceId, phone, identifier } = storedMessage(fresh.body)
        const conversation = { id: lane.conversationId, contactId, sourceId, phone, identifier }
        await storeMissedReplies(this.#options, createChatwootApi(this.#options, config), config, conversation, endMs)
      })
      return 0
    } catch (error) {
      // What is stored goes out first; the rest is looked for when there is room.
      if (error instanceof GatewayError && error.code === 'QUEUE_FULL') return 0
      if (!(error instanceof ChatwootRefusal)) throw error
      // A wrong token or a deleted conversation does not pass by itself.
      const isPassingBy = error.kind === 'away' || error.kind === 'busy'
      return isPassingBy && fresh.ageMs < GAPS_MAX_MS ? GAPS_AGAIN_MS : 0
    }
  }

  /** Returns the time until the next attempt; 0 when it is done with. */
  async #handle(config: ChatwootConfig, row: ChatwootIncoming): Promise<number> {
    const message = storedMessage(row.body)
    try {
      if (row.kind === 'deleted') await this.#delete(config, message)
      else await this.#send(config, row, message)
      return 0
    } catch (error) {
      if (isPassing(error, row.ageMs)) {
        const isSoon = error instanceof GatewayError && SOON.has(error.code)
        return backOffMs(row.attempts + 1, DELAY_MIN_MS, isSoon ? SOON_MAX_MS : DELAY_MAX_MS)
      }
      const isValue = isCausedByValue(error)
      if (!(error instanceof GatewayError || error instanceof ChatwootRefusal || isValue)) throw error
      if (row.kind === 'deleted') await this.#options.store.incomings.done(config.instance, row.cwId, row.kind)
      else await this.#fail(config, row, message, isValue ? REFUSED_BY_STORE : (error as Error).message)
      return 0
    }
  }

  async #send(config: ChatwootConfig, row: ChatwootIncoming, message: AgentMessage): Promise<void> {
    const { store, media, count, replays, clock, logger } = this.#options
    const { instance } = config
    const isFirst = row.attempts === 0 && row.kind === 'created'
    // Greetings answer messages of hours ago when these are replayed.
    if (message.isTemplate && replays.has(laneName({ instance, conversationId: message.conversationId }))) {
      await store.incomings.done(instance, row.cwId, row.kind)
      return
    }
    const lateMs = (await clock.nowMs()) - message.createdMs
    if (isFirst && lateMs > REPLY_AGE_MAX_MS) {
      // By the clock of Chatwoot, which may be wrong.
      logger.warn({ instanceId: instance, lateMs, ageMs: row.ageMs }, 'A reply of Chatwoot is too old to be sent.')
      await this.#miss(config, row, message)
      return
    }
    const recipient = await findRecipient(this.#options, config, message)
    const parts = replyParts(message, config.signMessages, media().canConvert)
    if (parts.length === 0 || recipient === null) {
      const why = recipient === null ? 'The contact has no number.' : 'The reply is empty.'
      await this.#fail(config, row, message, why)
      return
    }
    for (const [index, part] of parts.entries()) {
      const record = await this.#sender.send(config, row.kind, message, recipient, part, index)
      if (index === 0 && record !== null) await bindConversation(this.#options, config, message, record)
    }
    if (message.error !== null) await setStatus(this.#options, config, { ...message }, told.sent, '').catch(unlessStore)
    await store.incomings.done(instance, row.cwId, row.kind)
    await store.configs.noteReceived(instance)
    count('replied')
  }

  async #fail(config: ChatwootConfig, row: ChatwootIncoming, message: AgentMessage, why: string): Promise<void> {
    const { store, count } = this.#options
    await store.incomings.fail(config.instance, row.cwId, row.kind)
    for (const one of await store.messages.byCwId(config.instance, row.cwId))
      if (one.isReply && one.told === told.none) await this.#sender.noteFailed(config.instance, one)
    count('reply_failed')
    await setStatus(this.#options, config, { ...message }, told.failed, why).catch(unlessStore)
  }

  /** Leaves a reply that was found too late as it is, and says so beside it. */
  async #miss(config: ChatwootConfig, row: ChatwootIncoming, message: AgentMessage): Promise<void> {
    const { store, count } = this.#options
    await this.#fail(config, row, message, TOO_OLD)
    await store.configs.noteMissed(config.instance)
    count('reply_missed')
    await createChatwootApi(this.#options, config)
      .createMessage(message.conversationId, { content: TOO_OLD, type: 'outgoing', isPrivate: true })
      .catch(unlessStore)
  }

  /** Takes messages of this account back. Those of others stay: the network lets nobody delete them for all. */
  async #delete({ instance }: ChatwootConfig, { cwId }: AgentMessage): Promise<void> {
    const { store, router } = this.#options
    await store.incomings.done(instance, cwId, 'created')
    for (const row of await store.messages.byCwId(instance, cwId)) {
      if (!row.fromMe || row.isDeleted) continue
      await store.messages.noteDeleted(instance, row.messageid)
      const revision = { kind: 'delete' } as const
      await router()
        .ask(instance, { type: 'revise', messageid: newMessageId(), id: row.messageid, revision })
        .catch(unlessGone)
    }
    await store.incomings.done(instance, cwId, 'deleted')
  }
}

function describeReplyWork(instance: InstanceId, { cwId, kind }: Pick<ChatwootIncoming, 'cwId' | 'kind'>): Work {
  return { kind: 'reply', operation: 'chatwoot', feature: 'chatwoot', instance, id: `${cwId} ${kind}` }
}

function isPassing(error: unknown, ageMs: number): boolean {
  if (ageMs >= REPLY_AGE_MAX_MS) return false
  if (!(error instanceof GatewayError)) return error instanceof ChatwootRefusal
  // Of a connection that was lost amid the send; one that somebody ended stays ended.
  if (error.code === 'INSTANCE_NOT_CONNECTED') return ageMs < RECONNECTED_MS
  return PASSING.has(error.code)
}

/** Returns true for an error that the values of a statement cause, so that another attempt ends like this one (SQLSTATE class 22). */
function isCausedByValue(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
}

function unlessStore(error: unknown): void {
  if (!(error instanceof ChatwootRefusal)) throw error
}

/** A message that was never sent, or that the network cannot take back, stays as it is. */
function unlessGone(error: unknown): void {
  if (error instanceof GatewayError && !PASSING.has(error.code)) return
  throw error
}

// Finds the chat of a conversation, and binds a conversation that an agent opened to its chat.

// Bound: 150,000, a field of Chatwoot or of a message.

type Parts = Pick<ChatwootParts, 'store'>

/** Returns a number or JID; null if the contact has none. */
async function findRecipient(
  { store }: Parts,
  { instance }: ChatwootConfig,
  message: AgentMessage,
): Promise<string | null> {
  const chat = await store.chats.byConversation(instance, message.conversationId)
  const known = chat === null ? null : await store.chats.findAddress(instance, chat.chatId)
  if (known !== null) return known
  const { identifier, phone } = message
  if (/^[\d-]+@(s\.whatsapp\.net|lid|g\.us)$/.test(identifier)) return identifier
  return digitsOfPhone(phone) || null
}

/** Returns the digits of a contact's number, which Chatwoot has with + and country code; empty if they are none that can be reached. */
function digitsOfPhone(phone: string): string {
  const read = readPhoneNumber(phone)
  return 'digits' in read ? read.digits : ''
}

/** From now on the chat goes on in the conversation in which the agent wrote last. */
async function bindConversation(
  { store }: Parts,
  { instance }: ChatwootConfig,
  message: AgentMessage,
  record: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { conversationId, contactId, contactSource, cwId, phone } = message
  const chatId = await store.chats.findChat(instance, String(record.chatid))
  if (chatId === null) return
  const chat = await store.chats.ensure(instance, chatId)
  if (chat.conversationId === conversationId) return
  const contact =
    contactId > 0 && contactSource !== '' && chat.contactId !== contactId
      ? { contactId, sourceId: contactSource, hasInbox: true, phone: digitsOfPhone(phone) }
      : {}
  await store.chats.update(instance, chatId, {
    ...{ conversationId, isAsked: false, newestId: 0, seenId: cwId - 1 },
    ...contact,
  })
}
