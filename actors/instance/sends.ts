import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { fallbackText } from '../../schemas/choices/fallback.js'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, isEverybody, mentionedIn, parseRecipient } from '../../schemas/jid.js'
import type { MediaContent, SendContent } from '../../schemas/send-content.js'
import type { QueueStatus, ReviseCommand, ReviseReply, SendCommand, SendReply } from '../../schemas/send-request.js'
import type { MessageStatus, NewMessage } from '../../schemas/stored-fields.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { Connection } from '../network/port/connection.js'
import type { UploadedMedia } from '../network/port/media.js'
import type { OutgoingContent, OutgoingMessage } from '../network/port/messages.js'
import { DelayedSends, sooner } from './delayed-sends.js'
import { Fallbacks, fallbackRequest } from './fallbacks.js'
import { forPreview, previewed } from './link-previews.js'
import type { FilesToSend, InstanceJournal, InstanceReader } from './ports.js'
import { reactionTarget } from './reaction-target.js'
import { refusal, refused, refusedLookUp } from './refusals.js'
import { failedUpdate, messageOf, Relays, whyNotToSend } from './relays.js'
import { Revisions } from './revisions.js'
import { bareMessageId, filesOf, filled, queuedSend, rowFieldsOf } from './send-content.js'
import { canceledUpdate, SendQueue } from './send-queue.js'

export interface SendTiming {
  /** How long a caller waits for the network's answer; a send with a longer delay is answered as `queued`. */
  readonly ackTimeoutMs: number
  /** How long typing or recording is shown at most. */
  readonly presenceMaxMs: number
  readonly parkTimeoutMs: number
  readonly sendMaxAgeMs: number
  readonly pacingMinMs: number
  readonly pacingMaxMs: number
  /** Queued sends of one instance; more are refused. */
  readonly queueMax: number
}

/** Errors that a later attempt cannot help. */
const UNSENDABLE: ReadonlySet<ErrorCode> = new Set([
  // Values of placeholders can make a menu invalid.
  'INVALID_REQUEST',
  'INVALID_NUMBER',
  'NOT_ON_NETWORK',
  'GROUP_NOT_FOUND',
  'MESSAGE_NOT_FOUND',
  'OWN_MESSAGE',
  'MESSAGE_TOO_OLD',
  'MEDIA_REFUSED',
  'MEDIA_FILE_GONE',
])

/** Facts about a chat that are cached for the whole node; read again when the cache has dropped them. */
export interface KnownChat {
  readonly address: ChatAddress
  readonly expirationSeconds: number
}
export type KnownChats = LRUCache<string, KnownChat>

export interface SendsOptions {
  readonly instance: InstanceId
  /** Names the instance under its present epoch; facts cached under a former epoch may be outdated. */
  readonly life: string
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly files: FilesToSend
  readonly timing: SendTiming
  readonly knownChats: KnownChats
  readonly logger: Logger
  readonly random: () => number
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: (waitMs: number) => Promise<Connection>
  /** The own addresses, once connected. */
  readonly own: () => ChatAddress | null
  readonly showPresence: (chat: ChatAddress, kind: 'composing' | 'recording', durationMs: number) => void
  readonly endPresence: (chat: ChatAddress) => void
  readonly isConnected: () => boolean
  /** The own addresses as they are stored. */
  readonly storedOwn: () => Promise<ChatAddress | null>
  /** @throws GatewayError unless connected, or about to be without anyone's help */
  readonly needSession: () => void
  readonly markRead: (messages: readonly MessageForActor[]) => Promise<void>
  readonly readChat: (chat: ChatAddress) => Promise<unknown>
  readonly queued: () => void
}

/** Sends of one instance: turns commands into messages, answers their callers, and runs the asynchronous queue. */
export class Sends {
  readonly #options: SendsOptions
  readonly #relays: Relays
  readonly #revisions: Revisions
  readonly #fallbacks: Fallbacks
  readonly #queue: SendQueue
  readonly #delayed: DelayedSends
  readonly #running = new Map<string, Promise<SendReply>>()
  /** Queued and delayed sends that are on their way out, and those that are being canceled. */
  readonly #leaving = new Set<MessageId>()
  readonly #canceling = new Set<MessageId>()
  /** Delayed sends whose place in the chat is not fixed yet, by recipient. */
  readonly #accepting = new Map<string, Promise<void>>()
  /** Direct sends that wait for their delay. */
  readonly #waitingNow = new Map<MessageId, ChatAddress>()
  /** The last of those that give delayed sends their times, one after the other. */
  #timing: Promise<unknown> = Promise.resolve()
  /** When the connection opened, of `performance.now()`. */
  #openedAtMs = 0

  constructor(options: SendsOptions) {
    this.#options = options
    this.#relays = new Relays({ ...options, ...options.timing })
    this.#revisions = new Revisions({ ...options, ...options.timing, relays: this.#relays })
    this.#fallbacks = new Fallbacks({ ...options, relays: this.#relays })
    this.#queue = new SendQueue({
      ...options,
      ...options.timing,
      connected: () => options.connection(options.timing.parkTimeoutMs),
      delayMs: (queued) => queuedSend(queued.queuedRequest).options.delayMs ?? 0,
      show: ({ chat, queuedRequest }, durationMs) =>
        options.showPresence(chat, presenceOf(queuedSend(queuedRequest).content), durationMs),
      delayedChats: () => [...this.#waitingNow.values()],
      send: (queued) => this.#sendQueued(queued),
      cleared: () => this.#note(this.#delayed.readAgain()),
    })
    this.#delayed = new DelayedSends({
      ...options,
      ...options.timing,
      show: options.showPresence,
      send: async (messageid, chat, isOver) => {
        // What was queued for the chat before it goes first, however long the queue is.
        await this.#queue.former(messageid, chat)
        if (!isOver()) await this.#queue.beside(() => this.#sendDue(messageid))
      },
    })
  }

  send(command: SendCommand): Promise<SendReply> {
    const name = command.idempotencyKey === undefined ? `id:${command.messageid}` : `key:${command.idempotencyKey}`
    const running = this.#running.get(name)
    if (running !== undefined && command.idempotencyKey === undefined) return running
    const result = (
      running === undefined
        ? Promise.resolve()
        : running.then(
            () => {},
            () => {},
          )
    ).then(async () => await this.#sendOnce(command))
    this.#running.set(name, result)
    const forget = (): void => {
      if (this.#running.get(name) === result) this.#running.delete(name)
    }
    result.then(forget, forget)
    return result
  }

  /** Edits or deletes a message of ours; see `Revisions`. */
  async revise(command: ReviseCommand): Promise<ReviseReply> {
    return (
      (command.revision.kind === 'delete' ? await this.#cancel(command) : null) ??
      (await this.#revisions.revise(command))
    )
  }

  /** Handles the network's answer to a message of ours. */
  acknowledged(messageid: MessageId, error: number | null): void {
    if (error === null || !this.#fallbacks.mayHelp(error)) this.#settled(messageid, error)
    else
      this.#note(
        this.#fallbacks.send(messageid, error).then((isSent) => {
          if (!isSent) this.#settled(messageid, error)
        }),
      )
  }

  #settled(messageid: MessageId, error: number | null): void {
    const status: MessageStatus = error === null ? 'sent' : 'failed'
    // A caller who still waits gets the answer; otherwise an event carries it.
    const isTold = error === null && this.#relays.isAwaited(messageid)
    const stored = this.#options.journal.write([
      {
        type: 'message.update',
        messageids: [messageid],
        fromMe: true,
        set: {
          status,
          queuedRequest: null,
          ...(error === null ? {} : { error: refusal(error), providerCode: error }),
        },
        ...(isTold
          ? {}
          : {
              announce: {
                type: 'Status',
                state: error === null ? 'Sent' : 'Failed',
                event: { IsFromMe: true, ...(error === null ? {} : { provider_code: error }) },
              },
            }),
      },
      ...this.#revisions.answered(messageid, error),
    ])
    this.#note(stored)
    this.#relays.answered(
      messageid,
      error === null ? { status: 'sent' } : { status: 'failed', code: error, why: refusal(error) },
      stored,
    )
  }

  /**
   * Handles a new connection: sends again, under their ids, the messages that the former connection may not have handed over. New messages to
   * those chats follow them.
   */
  opened(): void {
    this.#openedAtMs = performance.now()
    this.#revisions.opened()
    this.#note(this.#relays.opened().then(() => this.runQueue()))
  }

  /** Stops sending. Messages that were handed over may still be answered. */
  stop(): void {
    this.#queue.stop()
    this.#delayed.stop()
    this.#relays.end()
  }

  /** True while the network has not answered all messages that were handed over. */
  get isWaiting(): boolean {
    return this.#relays.isWaiting
  }

  async #sendOnce(command: SendCommand): Promise<SendReply> {
    const { reader, instance } = this.#options
    const former = command.isRepeat ? await this.#askedBefore(command) : null
    if (former !== null) return former
    if (command.idempotencyKey !== undefined) {
      const first = await reader.messageByIdempotencyKey(instance, command.idempotencyKey)
      if (first !== null) {
        if (first.requestHash !== command.requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
        const outcome = await this.#askedBefore({ ...command, messageid: first.messageid })
        if (outcome !== null) return outcome
      }
    }
    const address = parseRecipient(command.number)
    const held = await this.#inTurn(command, address)
    try {
      if (await this.#mustWait(command, address)) return await this.#delay(command, address, held)
    } finally {
      held()
    }
    return command.options.async ? await this.#enqueue(command, address) : await this.#sendNow(command, address)
  }

  /**
   * Waits until earlier delayed sends to the same recipient have their place, so that none is overtaken while its row is made.
   * Returns a function to call when this send has its place, too.
   */
  async #inTurn({ options }: SendCommand, { group, pn, lid }: ChatAddress): Promise<() => void> {
    const name = group ?? pn ?? lid ?? ''
    const before = this.#accepting.get(name)
    if ((options.delayMs ?? 0) <= this.#options.timing.ackTimeoutMs) {
      await before
      return () => {}
    }
    let held = (): void => {}
    const mine = new Promise<void>((resolve) => {
      held = resolve
    }).then(() => {
      if (this.#accepting.get(name) === mine) this.#accepting.delete(name)
    })
    this.#accepting.set(name, mine)
    await before
    return held
  }

  /** Returns true if the send leaves later than its caller waits for an answer, or queues behind one that does. */
  async #mustWait({ options }: SendCommand, chat: ChatAddress): Promise<boolean> {
    if ((options.delayMs ?? 0) > this.#options.timing.ackTimeoutMs) return true
    await this.#delayed.run()
    // The queue keeps the order of what is in it by itself.
    return this.#delayed.heldMs(chat) !== null || (!options.async && this.#queue.heldMs(chat) !== null)
  }

  /**
   * Answers a repeated send from its row: throws a refusal as it was thrown the first time, and waits for a message without an answer.
   * Returns null if there is no row: then the message has not left and will not. A former owner writes no more, and our own writes are awaited.
   */
  async #askedBefore(command: SendCommand): Promise<SendReply | null> {
    const { journal, reader, instance } = this.#options
    // Listens before it reads the row, so that an answer in between is not missed.
    const answer = this.#relays.awaitAnswer(command.messageid)
    await journal.settled()?.catch(() => {})
    const rows = await reader.messagesById(instance, [command.messageid]).catch((error: unknown) => {
      answer.stop()
      throw error
    })
    const row = rows.find(({ fromMe }) => fromMe)
    if (row?.status !== 'pending' || command.options.async) answer.stop()
    if (row === undefined) return null
    if (row.status === 'failed') throw refusedBefore(command.messageid, row)
    if (row.status !== 'pending' || command.options.async) return { record: row.record, warnings: [] }
    // The open connection relays the message, or has relayed it.
    const outcome = await answer.outcome
    if (outcome.status === 'failed') throw refused(command.messageid, outcome.code, outcome.why)
    this.#afterwards(command, row.chat)
    return { record: { ...row.record, status: outcome.status }, warnings: [] }
  }

  async #sendNow(command: SendCommand, asked: ChatAddress): Promise<SendReply> {
    const { timing } = this.#options
    const deadline = Date.now() + timing.parkTimeoutMs
    await this.#options.connection(timing.parkTimeoutMs)
    const named = await this.#named(command)
    const known = await this.#resolve(asked, deadline)
    return await this.#deliver(named, known, (message) => this.#store(named, known, message))
  }

  /** Sends one message in the lane of its chat. Resolves with the network's answer, or `pending` after the bounded wait. */
  async #deliver(
    command: SendCommand,
    known: KnownChat,
    store: (message: SentMessage) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<SendReply> {
    const { address } = known
    const { showPresence, endPresence } = this.#options
    const { delayMs = 0 } = command.options
    if (delayMs > 0) this.#waitingNow.set(command.messageid, address)
    let warnings: readonly string[] = []
    const uploads = this.#upload(command.content)
    const relayed = await this.#relays.send(
      {
        messageid: command.messageid,
        chat: address,
        compose: async (connection) => {
          const composed = await this.#compose(connection, command, known, await uploads)
          warnings = composed.warnings
          return composed.message
        },
        store: (message) => {
          endPresence(address)
          return store(message)
        },
      },
      async () => {
        if (delayMs <= 0) return
        showPresence(address, presenceOf(command.content), delayMs)
        await pause(delayMs)
        this.#waitingNow.delete(command.messageid)
        // It has passed by what is queued for this chat.
        this.#note(this.#queue.run())
      },
    )
    const record = await relayed.stored
    // The files are on the network now, and the row holds their addresses.
    for (const { file } of filesOf(command.content)) void this.#options.files.release(file)
    const outcome = await relayed.outcome
    if (outcome.status === 'failed') throw refused(command.messageid, outcome.code, outcome.why)
    this.#afterwards(command, address)
    const instead = this.#fallbacks.taken(command.messageid)
    return {
      record: { ...record, ...instead?.fields, status: outcome.status },
      warnings: instead === undefined ? warnings : [...warnings, instead.warning],
    }
  }

  /** Uploads the files before the message's turn in its chat, so that other messages do not wait for them. */
  #upload(content: SendContent): Promise<readonly UploadedMedia[]> {
    const { connection, files, timing } = this.#options
    const asked = Promise.all(
      filesOf(content).map(async ({ media, file }) =>
        (await connection(timing.parkTimeoutMs)).media.upload(media, files.read(file)),
      ),
    )
    const uploads = content.kind === 'text' ? forPreview(asked) : asked
    // A failed upload is reported when the message is composed.
    uploads.catch(() => {})
    return uploads
  }

  async #compose(
    connection: Connection,
    { content, options }: SendCommand,
    known: KnownChat,
    uploads: readonly UploadedMedia[],
  ): Promise<{ readonly message: SentMessage; readonly warnings: readonly string[] }> {
    const quoted = options.replyId === undefined ? undefined : await this.#quoted(options.replyId)
    await refuseForeignGroup(connection, known.address)
    const mentions =
      known.address.group === undefined || options.mentions === undefined
        ? []
        : isEverybody(options.mentions)
          ? ('all' as const)
          : mentionedIn(options.mentions)
    const { outgoing, fallback, warnings } = await this.#outgoing(content, known.address, uploads)
    const about = {
      ...(quoted === undefined ? {} : { quoted }),
      ...(mentions.length === 0 ? {} : { mentions }),
      ...(options.forward ? { forwarded: true } : {}),
      ...(known.expirationSeconds === 0 ? {} : { expirationSeconds: known.expirationSeconds }),
    }
    const message = await connection.messages.compose(known.address, { content: outgoing, ...about })
    if (fallback === undefined) return { message, warnings }
    const instead = await connection.messages.compose(known.address, {
      content: { kind: 'text', text: fallback },
      ...about,
    })
    return { message: { ...message, instead: instead.proto }, warnings }
  }

  async #outgoing(
    content: SendContent,
    chat: ChatAddress,
    uploads: readonly UploadedMedia[],
  ): Promise<{
    readonly outgoing: OutgoingContent
    /** Text to send if the network refuses the message. */
    readonly fallback?: string
    readonly warnings: readonly string[]
  }> {
    const { reader, instance } = this.#options
    if (content.kind === 'reaction')
      return {
        outgoing: { kind: 'reaction', emoji: content.emoji, target: await this.#target(content.id, chat) },
        warnings: [],
      }
    const { content: whole, warnings } = await filled(content, () => reader.placeholderValues(instance, chat))
    if (whole.kind === 'media') return { outgoing: withFile(whole, uploads), warnings }
    if (whole.kind === 'text') return previewed(whole, uploads, warnings)
    if (!('menu' in whole)) return { outgoing: whole, warnings }
    const fallback = whole.textFallback ? { fallback: fallbackText(whole.menu) } : {}
    return { outgoing: { ...whole, uploads }, warnings, ...fallback }
  }

  async #target(id: string, chat: ChatAddress): Promise<MessageForActor> {
    const { reader, instance } = this.#options
    return reactionTarget(await reader.messagesNamed(instance, [id]), chat)
  }

  /**
   * Returns the command with the network's ids of the messages that it names.
   * @throws GatewayError MESSAGE_NOT_FOUND for a reply to nothing
   */
  async #named(command: SendCommand): Promise<SendCommand> {
    const { content, options } = command
    const { replyId, ...others } = options
    if (content.kind === 'reaction') {
      const { reader, instance } = this.#options
      const [message] = await reader.messagesNamed(instance, [content.id])
      // A reaction carries no quote.
      return { ...command, content: { ...content, id: message?.messageid ?? content.id }, options: others }
    }
    if (replyId === undefined) return command
    return { ...command, options: { ...others, replyId: (await this.#quoted(replyId)).messageid } }
  }

  async #quoted(replyId: string): Promise<MessageForActor> {
    const [message] = await this.#options.reader.messagesNamed(this.#options.instance, [replyId])
    if (message === undefined)
      throw new GatewayError('MESSAGE_NOT_FOUND', {
        message: 'Message not found: replyid names no message of this instance.',
      })
    return message
  }

  async #store(
    command: SendCommand,
    { address }: KnownChat,
    message: SentMessage,
  ): Promise<Readonly<Record<string, unknown>>> {
    const row = this.#row(command, address, 'pending', this.#options.own())
    const { messages } = await this.#options.journal.write([
      { type: 'message', message: { ...row, ...storedPart(message) }, announce: true },
    ])
    return messages.get(command.messageid)?.record ?? {}
  }

  #row(command: SendCommand, chat: ChatAddress, status: MessageStatus, own: ChatAddress | null): NewMessage {
    const { options } = command
    return {
      messageid: command.messageid,
      chat,
      fromMe: true,
      isGroup: chat.group?.endsWith('@g.us') ?? false,
      ...rowFieldsOf(command.content),
      messageTimestampMs: Date.now(),
      sender: own === null ? ('' as Jid) : chatIdOf(own),
      ...(own?.pn === undefined ? {} : { senderPn: own.pn }),
      ...(own?.lid === undefined ? {} : { senderLid: own.lid }),
      source: 'web',
      status,
      content: null,
      ...(options.replyId === undefined ? {} : { quoted: bareMessageId(options.replyId) }),
      ...(options.trackSource === undefined ? {} : { trackSource: options.trackSource }),
      ...(options.trackId === undefined ? {} : { trackId: options.trackId }),
      wasSentByApi: true,
      ...(command.idempotencyKey === undefined ? {} : { idempotencyKey: command.idempotencyKey }),
      ...(command.requestHash === undefined ? {} : { requestHash: command.requestHash }),
    }
  }

  /** Finds both addresses of a chat: in memory, in the store, or on the network. */
  async #resolve(asked: ChatAddress, deadline: number): Promise<KnownChat> {
    const { instance, life, reader, knownChats } = this.#options
    const name = `${life}:${chatIdOf(asked)}`
    const cached = knownChats.get(name)
    if (cached !== undefined) return cached
    const address = await this.#addresses(asked, deadline)
    const chat = await reader.chat(instance, address)
    const known: KnownChat = { address, expirationSeconds: Number(chat?.wa_ephemeralExpiration ?? 0) || 0 }
    knownChats.set(name, known)
    return known
  }

  async #addresses(asked: ChatAddress, deadline: number): Promise<ChatAddress> {
    const stored = await this.#storedAddresses(asked)
    if (stored !== null) return stored
    const connection = await this.#options.connection(Math.max(0, deadline - Date.now()))
    const found = await connection.contacts.lookUp(asked).catch(refusedLookUp)
    if (found === null) {
      const one = chatIdOf(asked)
      throw new GatewayError('NOT_ON_NETWORK', {
        message: `The number ${one.split('@')[0]} has no account on the network.`,
        details: [{ field: 'number', why: 'has no account on the network' }],
      })
    }
    return found
  }

  /** Returns both addresses of a person; null if the store knows only one. */
  async #storedAddresses(asked: ChatAddress): Promise<ChatAddress | null> {
    if (asked.group !== undefined) return asked
    const one = chatIdOf(asked)
    const other = await this.#options.reader.mapping(this.#options.instance, one)
    return other === null ? null : addressOf(one, other)
  }

  async #enqueue(command: SendCommand, address: ChatAddress): Promise<SendReply> {
    this.#options.needSession()
    const row = await this.#queuedRow(command, address, (await this.#storedAddresses(address)) ?? address)
    const warnings = await this.#placeholderWarnings(command.content, address)
    const { messages } = await this.#options.journal.write([row])
    this.#options.queued()
    return { record: messages.get(command.messageid)?.record ?? {}, warnings }
  }

  /** Returns warnings about unknown placeholders, while the caller can still read them. The texts are filled when the message leaves. */
  async #placeholderWarnings(content: SendContent, chat: ChatAddress): Promise<readonly string[]> {
    if (content.kind === 'reaction') return []
    const { reader, instance } = this.#options
    try {
      return (await filled(content, () => reader.placeholderValues(instance, chat))).warnings
    } catch (error) {
      // The present values make the menu invalid; they may have changed when it leaves.
      if (error instanceof GatewayError) return []
      throw error
    }
  }

  /**
   * Makes the row of a send that is accepted now and leaves later. Errors are reported now, while the caller waits. A message that it replies
   * or reacts to may still be gone when it leaves.
   * @throws GatewayError QUEUE_FULL, QUEUE_BUSY, MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD
   */
  async #queuedRow(command: SendCommand, chat: ChatAddress, both: ChatAddress) {
    await this.#queue.admit()
    const named = await this.#named(command)
    if (named.content.kind === 'reaction') await this.#target(named.content.id, both)
    const row = this.#row(named, chat, 'queued', this.#options.own() ?? (await this.#options.storedOwn()))
    const queuedRequest = { ...named, options: { ...named.options, async: false } }
    return { type: 'message', message: { ...row, queuedRequest }, announce: false } as const
  }

  /** Stores a delayed send. Answers `queued`, unless it leaves within the time that callers wait for an answer. */
  async #delay(command: SendCommand, asked: ChatAddress, held: () => void): Promise<SendReply> {
    const { timing, reader, instance, journal } = this.#options
    const chat = await this.#chatToWaitFor(command, asked)
    const row = await this.#queuedRow(command, chat, chat)
    const warnings = await this.#placeholderWarnings(command.content, chat)
    const { messageid, content } = command
    const { delayMs = 0, async: isAsync } = command.options
    // A cancellation gives those behind it another time, and must see this one or be over.
    const { writing, delayed, left, dueInMs } = await this.#inTiming(async () => {
      await this.#delayed.run()
      const heldMs = Math.max(this.#delayed.heldMs(chat) ?? 0, this.#queue.heldMs(chat) ?? 0)
      const dueInMs = Math.round(heldMs + delayMs)
      const writing = journal.write([
        row,
        { type: 'message.update', messageids: [messageid], fromMe: true, set: { dueInMs } },
      ])
      const delayed = { messageid, chat, delayMs, dueInMs, isVoice: presenceOf(content) === 'recording' }
      return { writing, delayed, dueInMs, left: this.#delayed.hold(delayed, writing) }
    })
    held()
    const record = (await writing).messages.get(messageid)?.record ?? {}
    // Clearing the queue makes `DelayedSends` read all rows again, which may have missed this one.
    void this.#delayed.hold(delayed)
    if (isAsync || dueInMs > timing.ackTimeoutMs) return { record, warnings }
    await Promise.race([left, pause(timing.ackTimeoutMs)])
    const rows = await reader.messagesById(instance, [messageid])
    const now = rows.find(({ fromMe }) => fromMe)
    if (now?.status === 'failed') throw refusedBefore(messageid, now)
    return { record: now?.record ?? record, warnings }
  }

  #inTiming<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#timing.then(work, work)
    this.#timing = mine.catch(() => {})
    return mine
  }

  /** @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, NOT_ON_NETWORK */
  async #chatToWaitFor({ options }: SendCommand, asked: ChatAddress): Promise<ChatAddress> {
    if (options.async) {
      this.#options.needSession()
      return (await this.#storedAddresses(asked)) ?? asked
    }
    const { parkTimeoutMs } = this.#options.timing
    const deadline = Date.now() + parkTimeoutMs
    await this.#options.connection(parkTimeoutMs)
    return (await this.#resolve(asked, deadline)).address
  }

  /** Sends a delayed message that is due, unless it was canceled. */
  async #sendDue(messageid: MessageId): Promise<void> {
    await this.#options.journal.settled()?.catch(() => {})
    const rows = await this.#options.reader.messagesById(this.#options.instance, [messageid])
    const row = rows.find(({ fromMe, status }) => fromMe && status === 'queued')
    if (row !== undefined && !this.#leaving.has(messageid)) await this.#sendQueued(row)
  }

  /** Sends what is queued; see `SendQueue` and `DelayedSends`. */
  async runQueue(): Promise<void> {
    await Promise.all([this.#queue.run(), this.#delayed.run()])
  }

  queueStatus(): Promise<QueueStatus> {
    return this.#queue.status()
  }

  /** Cancels what is queued. @throws GatewayError QUEUE_BUSY */
  clearQueue(): Promise<{ readonly canceled: number }> {
    return this.#queue.clear()
  }

  /**
   * Cancels a send that is queued or waits for its delay. Returns null if the message is not such a send.
   * @throws GatewayError QUEUE_BUSY while it is being sent
   */
  async #cancel({ id }: ReviseCommand): Promise<ReviseReply | null> {
    const { reader, instance, journal } = this.#options
    await journal.settled()?.catch(() => {})
    const target = (await reader.messagesNamed(instance, [id])).find(({ fromMe }) => fromMe)
    if (target === undefined || (target.status !== 'queued' && target.status !== 'canceled')) return null
    const { messageid } = target
    const reply = { messageid, timestampMs: Date.now(), content: {} }
    if (target.status === 'canceled') return reply
    if (this.#leaving.has(messageid)) throw new GatewayError('QUEUE_BUSY', { retryAfterSeconds: 1 })
    // From now on it does not begin to leave. It may have left while its row was read.
    this.#canceling.add(messageid)
    try {
      return (await this.#inTiming(() => this.#cancelQueued(messageid))) ? reply : null
    } finally {
      this.#canceling.delete(messageid)
      // Rows that were read earlier still have the status `queued`.
      this.#queue.readAgain(messageid)
    }
  }

  /** False when it is queued no more. */
  async #cancelQueued(messageid: MessageId): Promise<boolean> {
    const { reader, instance, journal } = this.#options
    // Those behind it that were given their time a moment ago.
    await journal.settled()?.catch(() => {})
    const row = (await reader.messagesById(instance, [messageid])).find(({ fromMe }) => fromMe)
    if (row?.status !== 'queued') return row?.status === 'canceled'
    try {
      const waiting = await reader.delayedSends(instance)
      await journal.write([canceledUpdate([messageid]), ...sooner(waiting, messageid)])
      return true
    } finally {
      await this.#delayed.readAgain().catch(() => {})
    }
  }

  /** Sends a queued message. Returns false if it can never be sent. */
  async #sendQueued(queued: MessageForActor): Promise<boolean> {
    if (this.#canceling.has(queued.messageid)) return false
    this.#leaving.add(queued.messageid)
    try {
      return await this.#sendAccepted(queued)
    } finally {
      this.#leaving.delete(queued.messageid)
    }
  }

  async #sendAccepted(queued: MessageForActor): Promise<boolean> {
    const asked = queuedSend(queued.queuedRequest)
    // It has waited.
    const command = { ...asked, options: { ...asked.options, delayMs: 0 } }
    const { timing, journal } = this.#options
    const delayMs = asked.options.delayMs ?? 0
    const outdated = whyNotToSend(queued, {
      own: this.#options.own(),
      // Waiting in a long queue on an open connection does not count as age, nor does the delay that the caller asked for.
      oldestMs: this.#openedAtMs - timing.sendMaxAgeMs - delayMs,
    })
    if (outdated !== null) {
      await journal.write([failedUpdate(queued.messageid, outdated)])
      return false
    }
    let isKnown = false
    try {
      const known = await this.#resolve(queued.chat, Date.now() + timing.parkTimeoutMs)
      isKnown = true
      await this.#deliver(command, known, async (message) => {
        await journal.write([
          {
            type: 'message.update',
            messageids: [queued.messageid],
            fromMe: true,
            set: {
              status: 'pending',
              queuedRequest: null,
              ...storedPart(message),
              messageTimestampMs: Date.now(),
            },
            announce: { type: 'Status', state: 'Pending', event: { IsFromMe: true } },
          },
        ])
        return queued.record
      })
      return true
    } catch (error) {
      // A refusal of the message is written already; what can never be sent must not hold back the others.
      if (!(error instanceof GatewayError) || (isKnown && error.code === 'SEND_REFUSED')) return true
      if (UNSENDABLE.has(error.code) || error.code === 'SEND_REFUSED') {
        await journal.write([failedUpdate(queued.messageid, error.message)])
        return false
      }
      throw error
    }
  }

  /** Marks messages as read, if the caller asked for it, once the message is out. A failure there does not fail the send. */
  #afterwards(command: SendCommand, address: ChatAddress): void {
    const { readChat, readMessages } = command.options
    if (!readChat && !readMessages) return
    const { reader, instance, markRead, readChat: markChatRead } = this.#options
    this.#note(
      (async () => {
        if (readMessages) {
          const received = await reader.lastReceived(instance, address, READ_MESSAGES, READ_MESSAGES)
          if (received.length > 0) await markRead(received)
        }
        if (readChat) await markChatRead(address)
      })(),
    )
  }

  #note(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.#options.logger.debug({ error: messageOf(error) }, 'Work beside a send failed.'),
    )
  }
}

/** The refusal of a send, as its row tells it. */
function refusedBefore(
  messageid: MessageId,
  { record: { error, provider_code: code } }: MessageForActor,
): GatewayError {
  return refused(messageid, typeof code === 'number' ? code : null, String(error ?? ''))
}

/** Number of messages that `readmessages` marks: the last that were received. */
const READ_MESSAGES = 10

/** Returns the indicator to show while a send waits: recording for a voice note, typing for anything else. */
function presenceOf(content: SendContent): 'composing' | 'recording' {
  return content.kind === 'media' && content.media === 'ptt' ? 'recording' : 'composing'
}

/** A message, and the encoded one to send in its place if the network refuses it. */
type SentMessage = OutgoingMessage & { readonly instead?: Uint8Array }

/** Refuses a group that the account is not in. Other errors about the group appear when the message is handed over. */
async function refuseForeignGroup({ groups }: Connection, { group }: ChatAddress): Promise<void> {
  if (!group?.endsWith('@g.us')) return
  await groups.get(group).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'GROUP_NOT_FOUND') throw error
  })
}

/** Returns the fields of a message that its row keeps. */
function storedPart({ text, content, proto, convertOptions, instead }: SentMessage) {
  return {
    text,
    content,
    proto,
    ...(convertOptions === undefined ? {} : { convertOptions }),
    ...(instead === undefined ? {} : { queuedRequest: fallbackRequest(instead) }),
  }
}

function withFile(content: MediaContent, [uploaded]: readonly UploadedMedia[]): OutgoingContent {
  if (uploaded === undefined) throw new Error('A file was not brought to the network.')
  return { ...content, uploaded }
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}
