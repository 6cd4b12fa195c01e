import type { Logger } from 'pino'
import { type Actor, createActor, fromCallback } from 'xstate'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, parseRecipient } from '../../schemas/jid.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { causeOfFailure, reactions } from '../network/disconnects.js'
import type { Connection, Network, NetworkEvent, Pairing } from '../network/port.js'
import { rejectCall } from './calls.js'
import { ChatSettings } from './chat-settings.js'
import { Chats } from './chats.js'
import type { Command, LiveStatus, PresenceKind, RenewMediaCommand, ReplyOf } from './commands.js'
import { Groups } from './groups.js'
import { bothAddresses } from './known-chat.js'
import { editLead } from './leads.js'
import { type InstanceEvent, type InstanceTiming, instanceMachine } from './machine.js'
import type {
  Change,
  ConnectionStatus,
  FilesToSend,
  Happening,
  InstanceJournal,
  InstanceReader,
  MessageForActor,
} from './ports.js'
import { presenceMachine } from './presence.js'
import { changesOf, recordHistory } from './recorder.js'
import { bareMessageId } from './send-content.js'
import { type KnownChats, Sends, type SendTiming } from './sends.js'

export interface InstanceDependencies {
  readonly network: Network
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly files: FilesToSend
  readonly logger: Logger
  readonly timing: InstanceTiming & SendTiming & { readonly presenceRefreshMs: number; readonly presenceMaxMs: number }
  readonly knownChats: KnownChats
  readonly epoch: () => number
  /** Paces the logins of the node. */
  readonly logins: { take(go: () => void, isUrgent: boolean): () => void }
  /** Something was put into the queue of asynchronous sends. */
  readonly queued: () => void
  /** A QR as a data URL, for events. */
  readonly drawQr: (text: string) => Promise<string>
  readonly random: () => number
  /** Counts for metrics. */
  readonly count: (what: Happening) => void
}

const FINISH_LOOK_MS = 5
/** For the acknowledgements of what is on its way when the instance is paused; what has none by then is sent again by who goes on. */
const PAUSE_FINISH_MS = 2_000

/** Facts of which a history speaks too. */
const STANDS_IN_HISTORY: ReadonlySet<NetworkEvent['type']> = new Set([
  'chats',
  'contacts',
  'chatLabel',
  'label',
  'quickReply',
])

interface WrittenStatus {
  readonly status: ConnectionStatus
  readonly qr: string | null
  readonly code: string | null
  readonly reason: string | null
}

/** One instance on the node that owns it: its machine, its connection, its sends, and what is written of them. */
export class Instance {
  readonly id: InstanceId
  readonly #deps: InstanceDependencies
  readonly #logger: Logger
  readonly #actor: Actor<typeof instanceMachine>
  readonly #sends: Sends
  readonly #chats: Chats
  readonly #settings: ChatSettings
  readonly #groups: Groups
  readonly #presences = new Map<string, Actor<typeof presenceMachine>>()
  readonly #watchers = new Set<() => void>()
  /** Ends each call that is not answered yet. */
  readonly #asked = new Set<(why: Error) => void>()
  /** Names this life in caches of the node; another epoch is another life. */
  readonly #life: string
  #connection: Connection | null = null
  #own: ChatAddress | null = null
  #profileName: string | null = null
  #written: WrittenStatus | null = null
  #statusWrites: Promise<void> = Promise.resolve()
  #historyWrites: Promise<void> = Promise.resolve()
  /** Parts of the history that are not stored yet. */
  #historyParts = 0
  #isStopped = false
  #isFinishing = false
  /** Resolves when what is being removed is removed, or could not be. */
  #removal: Promise<unknown> = Promise.resolve()
  /** Someone waits for the next connection; those that come back by themselves stand behind it. */
  #isAwaited = false
  /** What ended the last connection, where an error did. */
  #failure: unknown

  constructor(id: InstanceId, deps: InstanceDependencies) {
    this.id = id
    this.#deps = deps
    this.#life = `${id}@${deps.epoch()}`
    this.#logger = deps.logger.child({ instanceId: id })
    this.#sends = new Sends({
      instance: id,
      life: this.#life,
      journal: deps.journal,
      reader: deps.reader,
      files: deps.files,
      timing: deps.timing,
      knownChats: deps.knownChats,
      logger: this.#logger,
      random: deps.random,
      connection: (waitMs) => this.#openConnection(waitMs),
      own: () => this.#own,
      isConnected: () => this.status === 'connected',
      storedOwn: () => deps.reader.owner(id),
      needSession: () => {
        if (!this.#hasSession) throw this.#withoutSession()
      },
      showPresence: (chat, kind, durationMs) => this.#startPresence(chat, kind, durationMs),
      endPresence: (chat) => this.#endPresence(chat, 'cancel'),
      markRead: (messages) => this.#markRead(messages, 'unread'),
      readChat: (chat) => this.#chats.readAfterSend(chat),
      queued: deps.queued,
    })
    this.#chats = new Chats({
      instance: id,
      journal: deps.journal,
      reader: deps.reader,
      connection: () => this.#openConnection(deps.timing.parkTimeoutMs),
      markRead: (messages) => this.#markRead(messages),
    })
    this.#settings = new ChatSettings({
      instance: id,
      journal: deps.journal,
      reader: deps.reader,
      connection: () => this.#openConnection(deps.timing.parkTimeoutMs),
    })
    this.#groups = new Groups({
      instance: id,
      journal: deps.journal,
      reader: deps.reader,
      connection: () => this.#openConnection(deps.timing.parkTimeoutMs),
      own: () => this.#own,
    })
    const machine = instanceMachine.provide({
      actors: {
        connection: fromCallback<InstanceEvent, { pairing: Pairing | null }>(({ input, sendBack }) =>
          this.#hold(input.pairing, sendBack),
        ),
      },
    })
    this.#actor = createActor(machine, { input: { instanceId: id, timing: deps.timing, random: deps.random } })
    this.#actor.subscribe({
      next: () => this.#changed(),
      error: (error) => this.#logger.error({ error: messageOf(error) }, 'The machine of an instance failed.'),
    })
    this.#actor.on('stopped', ({ cause, reason, forgetCredentials }) =>
      this.#stoppedBy(cause, reason, forgetCredentials),
    )
    this.#actor.on('lost', ({ reason }) => {
      this.#write([{ type: 'instance', set: { lastDisconnectAt: new Date(), lastDisconnectReason: reason } }])
    })
    this.#actor.start()
  }

  /** Connects with the stored credentials, as a restart of the node does; one that is on its way already is left alone. */
  resume(): void {
    if (this.status !== 'disconnected') return
    this.#isAwaited = false
    this.#actor.send({ type: 'command.connect', pairing: null })
  }

  /** Sends what is queued; see `Sends.runQueue`. */
  async runQueue(): Promise<void> {
    await this.#sends.runQueue()
  }

  get status(): ConnectionStatus {
    const snapshot = this.#actor.getSnapshot()
    return snapshot.hasTag('connected') ? 'connected' : snapshot.hasTag('connecting') ? 'connecting' : 'disconnected'
  }

  /** @throws ShardMoved when the actor is stopped before the answer, GatewayError */
  ask<C extends Command>(command: C): Promise<ReplyOf[C['type']]>
  ask(command: Command): Promise<ReplyOf[Command['type']]> {
    return new Promise((resolve, reject) => {
      // One that ends the actor itself is answered.
      if (command.type !== 'delete' && command.type !== 'pause') this.#asked.add(reject)
      const settle = (): void => void this.#asked.delete(reject)
      this.#carryOut(command)
        .then(resolve, (error: unknown) => reject(this.#isFinishing ? asMoved(error) : error))
        .finally(settle)
    })
  }

  async #carryOut(command: Command): Promise<ReplyOf[Command['type']]> {
    switch (command.type) {
      case 'status':
        return this.#live()
      case 'connect':
        return await this.#connect(command)
      case 'disconnect':
        return await this.#disconnect()
      case 'reset':
        return this.#reset()
      case 'delete':
        await this.#disconnect()
        await this.stop(new GatewayError('INSTANCE_NOT_FOUND'))
        return null
      case 'pause':
        await this.finish(PAUSE_FINISH_MS)
        await this.stop(new GatewayError('OUTCOME_UNKNOWN'))
        return null
      case 'send':
        return await this.#sends.send(command)
      case 'revise':
        return await this.#sends.revise(command)
      case 'queueStatus':
        return await this.#sends.queueStatus()
      case 'queueClear':
        return await this.#sends.clearQueue()
      case 'renewMedia':
        return await this.#renewMedia(command)
      case 'markRead':
        return await this.#markReadByIds(command.ids)
      case 'editLead':
        return await editLead(this.id, this.#deps, command)
      case 'rejectCall':
        return await this.#rejectCall(command)
      case 'checkNumbers':
        return await this.#chats.check(command.numbers)
      case 'chatDetails':
        return await this.#chats.details(command.number, command.preview)
      case 'readChat':
        return await this.#chats.read(command.number, command.read)
      case 'saveContact':
        return await this.#chats.save(command.number, command.name)
      case 'setChat':
        return await this.#settings.set(command.number, command.setting)
      case 'labelChat':
        return await this.#settings.label(command.number, command.edit)
      case 'editLabel':
        return await this.#settings.editLabel(command)
      case 'editQuickReply':
        return await this.#settings.editQuickReply(command)
      case 'block':
        return await this.#settings.block(command.number, command.isBlocked)
      case 'blocklist':
        return await this.#settings.blocklist()
      case 'listGroups':
        return await this.#groups.list(command.isFresh)
      case 'groupInfo':
        return await this.#groups.info(command)
      case 'inviteInfo':
        return await this.#groups.invitation(command.code)
      case 'joinGroup':
        return await this.#groups.join(command.code)
      case 'createGroup':
        return await this.#groups.create(command.name, command.numbers)
      case 'createCommunity':
        return await this.#groups.createCommunity(command.name)
      case 'editCommunity':
        return await this.#groups.editCommunity(command)
      case 'leaveGroup':
        return await this.#groups.leave(command.group)
      case 'inviteCode':
        return await this.#groups.inviteCode(command.group, command.isReset)
      case 'changeGroup':
        return await this.#groups.change(command.group, command.change)
      case 'deleteChat':
        return await this.#settings.delete(command)
      case 'setProfileName':
        return await this.#setProfileName(command.name)
      case 'presence':
        return await this.#presence(command)
      default:
        return neverCommand(command)
    }
  }

  /** Begins nothing new, and gives what is on its way to the network a moment to be answered; `stop` follows. */
  async finish(withinMs: number): Promise<void> {
    this.#isFinishing = true
    this.#sends.stop()
    const endMs = performance.now() + withinMs
    const isBusy = () => this.#sends.isWaiting || (this.#connection?.health().held ?? 0) > 0
    while (isBusy() && this.status === 'connected' && performance.now() < endMs) await pause(FINISH_LOOK_MS)
  }

  /** Ends the socket and every timer; what was written becomes durable first. Calls that have no answer then fail by `why`. */
  async stop(why: Error = new ShardMoved({ wasBegun: true })): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#isFinishing = true
    this.#sends.stop()
    for (const presence of this.#presences.values()) presence.stop()
    this.#presences.clear()
    const connection = this.#connection
    this.#actor.stop()
    this.#watch()
    await connection?.closed()
    await Promise.allSettled([this.#deps.journal.settled(), this.#statusWrites, this.#historyWrites])
    for (const end of this.#asked) end(why)
  }

  /** Ends the socket now, without waiting for anything; the machine connects again from the store. */
  destroySocket(): void {
    this.#connection?.destroy('storeFailed')
  }

  #hold(pairing: Pairing | null, sendBack: (event: InstanceEvent) => void): () => void {
    let isLeft = false
    let connection: Connection | undefined
    const open = (): void => {
      connection = this.#deps.network.open({
        instance: this.id,
        journal: this.#deps.journal,
        reader: this.#deps.reader,
        pairing,
        epoch: this.#deps.epoch(),
        // The end of one that the machine has left already says nothing about the one that followed it.
        on: (event) => {
          if (!isLeft) this.#heard(event, sendBack)
        },
      })
      this.#connection = connection
    }
    const takeBack = this.#deps.logins.take(open, this.#isAwaited)
    return () => {
      isLeft = true
      takeBack()
      if (this.#connection === connection) this.#connection = null
      connection?.destroy()
    }
  }

  /** Called by the network in order; everything durable is written before this returns. */
  #heard(event: NetworkEvent, sendBack: (event: InstanceEvent) => void): void {
    switch (event.type) {
      case 'qr':
        sendBack({ type: 'network.qr', text: event.text })
        return
      case 'code':
        sendBack({ type: 'network.code', code: event.code })
        return
      case 'paired':
        this.#own = addressOf(event.jid, event.lid)
        this.#write([
          {
            type: 'instance',
            set: {
              ownerJid: event.jid,
              ownerLid: event.lid,
              platform: event.platform,
              isBusiness: event.isBusiness,
              desiredConnected: true,
            },
          },
        ])
        return
      case 'opened':
        this.#own = addressOf(event.jid, event.lid)
        this.#profileName = event.profileName
        this.#deps.count({ what: 'opened' })
        this.#write([
          {
            type: 'instance',
            set: {
              ...(this.#own.pn === undefined ? {} : { ownerJid: this.#own.pn }),
              ...(this.#own.lid === undefined ? {} : { ownerLid: this.#own.lid }),
              ...(event.profileName === null ? {} : { profileName: event.profileName }),
            },
          },
        ])
        sendBack({ type: 'network.opened', jid: event.jid })
        this.#sends.opened()
        return
      case 'closed':
        this.#deps.count({ what: 'closed', cause: event.cause })
        this.#isAwaited = reactions[event.cause].next === 'now'
        this.#failure = event.error
        sendBack({ type: 'network.closed', cause: event.cause, code: event.code, message: event.message })
        return
      case 'ack':
        this.#deps.count({ what: 'ack', isTaken: event.error === null })
        this.#sends.acknowledged(event.messageid, event.error)
        return
      case 'history':
        this.#historyParts += 1
        this.#historyWrites = this.#historyWrites
          .then(() => recordHistory(this.#deps.journal, event.batch))
          .then(() => event.recorded(), event.recorded)
          .finally(() => {
            this.#historyParts -= 1
          })
        return
      case 'undecryptable':
        this.#deps.count({ what: 'undecryptable' })
        this.#logger.warn(
          { messageid: event.messageid, reason: event.reason },
          'A message could not be decrypted; the network was asked for it again.',
        )
        return
      case 'chats':
        for (const { chat } of event.chats) this.#deps.knownChats.delete(`${this.#life}:${chatIdOf(chat)}`)
        break
      case 'message':
        this.#deps.count({ what: 'inbound' })
        break
      case 'profileName':
        this.#profileName = event.name
        break
      default:
    }
    // What is newer than the history is written after it, so that it is not overwritten.
    if (this.#historyParts > 0 && STANDS_IN_HISTORY.has(event.type))
      this.#historyWrites = this.#historyWrites.then(() => this.#write(changesOf(event)))
    else this.#write(changesOf(event))
  }

  async #connect(command: Extract<Command, { type: 'connect' }>): Promise<LiveStatus> {
    // Until then the stored credentials are those of a device that is no more, and a connection may be one that ends.
    await this.#removal
    await this.#deps.journal.settled()?.catch(() => {})
    if (this.status === 'connected') return this.#live()
    const isPairing = this.#actor.getSnapshot().matches('pairing')
    const stored = isPairing ? null : await this.#deps.reader.credentials(this.id)
    const isPaired = stored !== null && this.#deps.network.isPaired(stored)
    const pairing: Pairing | null = isPaired
      ? null
      : command.phone === undefined
        ? { by: 'qr', browser: command.browser ?? 'auto' }
        : { by: 'code', phone: command.phone }
    const running = this.#actor.getSnapshot().context.pairing
    const isSamePairing =
      isPairing &&
      pairing !== null &&
      running?.by === pairing.by &&
      (running.by !== 'code' || running.phone === command.phone)
    this.#isAwaited = true
    if (!isSamePairing) this.#actor.send({ type: 'command.connect', pairing })
    await this.#until(() => {
      const { qrcodeText, paircode } = this.#actor.getSnapshot().context
      if (this.status !== 'connecting' || this.#hasFailedByUs) return true
      return pairing?.by === 'code' ? paircode !== null : qrcodeText !== null
    }, command.waitMs)
    if (this.#isStopped) throw new ShardMoved({ wasBegun: true })
    const live = this.#live()
    if (this.#hasFailedByUs) throw new GatewayError('INTERNAL', { cause: this.#failure })
    if (pairing !== null && live.status === 'disconnected' && this.#actor.getSnapshot().context.cause === 'storeFailed')
      throw new GatewayError('STORE_UNAVAILABLE')
    if (pairing !== null && live.status === 'disconnected')
      throw this.#actor.getSnapshot().context.cause === 'asked'
        ? new GatewayError('INSTANCE_NOT_CONNECTED', { message: `No session: ${reactions.asked.sentence}` })
        : new GatewayError('PAIRING_FAILED', { message: live.reason ?? reactions.pairingRefused.sentence })
    return live
  }

  /** The last attempt to connect ended by an error of the program, and no other one runs. */
  get #hasFailedByUs(): boolean {
    const snapshot = this.#actor.getSnapshot()
    return (
      snapshot.context.cause === 'programError' && (snapshot.matches('waiting') || snapshot.matches('disconnected'))
    )
  }

  #disconnect(): Promise<LiveStatus> {
    const removed = this.#remove()
    this.#removal = Promise.allSettled([this.#removal, removed])
    return removed
  }

  async #remove(): Promise<LiveStatus> {
    const connection = this.#connection
    const wasOnline = this.status !== 'disconnected'
    if (connection !== null && this.status === 'connected') await connection.logout()
    this.#actor.send({ type: 'command.disconnect' })
    await this.#deps.journal.write([
      { type: 'credentials', data: null },
      {
        type: 'instance',
        set: {
          desiredConnected: false,
          ownerJid: null,
          ownerLid: null,
          ...(wasOnline ? { lastDisconnectAt: new Date(), lastDisconnectReason: reactions.asked.sentence } : {}),
        },
      },
    ])
    this.#own = null
    this.#profileName = null
    return this.#live()
  }

  #reset(): LiveStatus {
    if (this.status === 'disconnected') throw new GatewayError('INSTANCE_NOT_CONNECTED')
    this.#isAwaited = true
    this.#actor.send({ type: 'command.reset' })
    return this.#live()
  }

  #stoppedBy(cause: keyof typeof reactions, reason: string, forgetCredentials: boolean): void {
    this.#logger.info({ cause }, 'An instance stopped; only a command connects it again.')
    if (forgetCredentials) {
      this.#own = null
      this.#profileName = null
    }
    if (cause === 'ownershipLost') return
    this.#write([
      ...(forgetCredentials ? [{ type: 'credentials', data: null } as const] : []),
      {
        type: 'instance',
        set: {
          desiredConnected: false,
          lastDisconnectAt: new Date(),
          lastDisconnectReason: reason,
          ...(forgetCredentials ? { ownerJid: null, ownerLid: null } : {}),
        },
      },
    ])
  }

  async #renewMedia({ messageid, record }: RenewMediaCommand): Promise<null> {
    const { reader, journal, timing } = this.#deps
    const messages = await reader.messagesById(this.id, [messageid])
    const message = messages.find(({ record: { id } }) => record === undefined || id === record)
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    const connection = await this.#openConnection(timing.parkTimeoutMs)
    const set = await connection.renewMedia(message)
    // Another message under this id has a file of its own.
    const { chat, fromMe } = message
    const sender = senderOf(message)
    await journal.write([{ type: 'message.update', messageids: [messageid], chat, fromMe, sender, set }])
    return null
  }

  async #markReadByIds(ids: readonly string[]): Promise<ReplyOf['markRead']> {
    const messages = await this.#deps.reader.messagesNamed(this.id, ids)
    const received = messages.filter((message) => !message.fromMe)
    if (received.length > 0) {
      await this.#openConnection(this.#deps.timing.parkTimeoutMs)
      await this.#markRead(received)
    }
    return {
      results: ids.map((id) => {
        const message = messages.find(({ messageid, record }) => [messageid, record.id].includes(bareMessageId(id)))
        if (message === undefined) return { message_id: id, status: 'failed', error: 'Message not found' }
        if (message.fromMe) return { message_id: id, status: 'failed', error: 'The message is our own' }
        return { message_id: id, status: 'success' }
      }),
    }
  }

  async #markRead(messages: readonly MessageForActor[], rest: 'read' | 'unread' = 'read'): Promise<void> {
    const connection = await this.#openConnection(this.#deps.timing.parkTimeoutMs)
    await connection.markRead(messages)
    const chats = new Map(messages.map(({ chat }) => [chatIdOf(chat), chat]))
    const set = rest === 'read' ? { wa_unreadCount: 0 } : {}
    await this.#deps.journal.write([
      {
        type: 'message.update',
        messageids: messages.map(({ messageid }) => messageid),
        fromMe: false,
        set: { status: 'read' },
        ...(rest === 'unread' ? { lowersUnread: true } : {}),
      },
      ...[...chats.values()].map((chat) => ({ type: 'chat', chat, set, announce: true }) as const),
    ])
  }

  async #setProfileName(name: string): Promise<ReplyOf['setProfileName']> {
    const reply = await this.#settings.setProfileName(name)
    this.#profileName = name
    return reply
  }

  #rejectCall(command: Extract<Command, { type: 'rejectCall' }>): Promise<ReplyOf['rejectCall']> {
    const { journal, reader, timing } = this.#deps
    return rejectCall(
      {
        instance: this.id,
        journal,
        reader,
        connection: (waitMs) => this.#openConnection(waitMs),
        own: () => this.#own,
        parkTimeoutMs: timing.parkTimeoutMs,
        ackTimeoutMs: timing.ackTimeoutMs,
      },
      command,
    )
  }

  async #presence(command: Extract<Command, { type: 'presence' }>): Promise<null> {
    const chat = parseRecipient(command.number)
    await this.#openConnection(this.#deps.timing.parkTimeoutMs)
    const both = await bothAddresses(this.id, chat, this.#deps.reader)
    if (command.presence === 'paused') {
      if (!this.#endPresence(both, 'pause')) this.#show(both, 'paused')
      return null
    }
    this.#startPresence(both, command.presence, command.delayMs)
    return null
  }

  #startPresence(chat: ChatAddress, kind: 'composing' | 'recording', durationMs: number): void {
    this.#presenceOf(chat)?.stop()
    const name = chatIdOf(chat)
    const { presenceRefreshMs, presenceMaxMs } = this.#deps.timing
    const actor = createActor(presenceMachine, {
      input: {
        kind,
        durationMs: Math.min(durationMs, presenceMaxMs),
        refreshMs: presenceRefreshMs,
        show: (shown) => this.#show(chat, shown),
      },
    })
    this.#presences.set(name, actor)
    actor.subscribe({
      complete: () => {
        if (this.#presences.get(name) === actor) this.#presences.delete(name)
      },
      error: () => this.#presences.delete(name),
    })
    actor.start()
  }

  #endPresence(chat: ChatAddress, how: 'pause' | 'cancel'): boolean {
    const actor = this.#presenceOf(chat)
    actor?.send({ type: how })
    return actor !== undefined
  }

  /** Begun under the number or the LID: the other may have been learnt since. */
  #presenceOf({ group, pn, lid }: ChatAddress): Actor<typeof presenceMachine> | undefined {
    const name = [group, pn, lid].find((jid) => jid !== undefined && this.#presences.has(jid))
    return name === undefined ? undefined : this.#presences.get(name)
  }

  #show(chat: ChatAddress, kind: PresenceKind): void {
    this.#connection
      ?.presence(chat, kind)
      .catch((error: unknown) => this.#logger.debug({ error: messageOf(error) }, 'A presence was not shown.'))
  }

  /** The connection once it is open; while the instance connects, a call waits as for a move. */
  async #openConnection(waitMs: number): Promise<Connection> {
    if (this.status === 'connecting' && this.#hasSession) await this.#until(() => this.status !== 'connecting', waitMs)
    if (this.status === 'connected' && this.#connection !== null) return this.#connection
    if (this.status === 'connecting' && this.#hasSession)
      throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
    throw this.#withoutSession()
  }

  /** A node that has just lost the instance knows nothing of its session; its caller finds the owner at the next try. */
  #withoutSession(): GatewayError {
    const { cause } = this.#actor.getSnapshot().context
    return cause === 'ownershipLost'
      ? new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 })
      : new GatewayError('INSTANCE_NOT_CONNECTED')
  }

  /** Connected, or about to be without anyone's help. */
  get #hasSession(): boolean {
    return this.status !== 'disconnected' && !this.#actor.getSnapshot().matches('pairing')
  }

  #until(isTrue: () => boolean, waitMs: number): Promise<void> {
    if (isTrue() || this.#isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#watchers.delete(check)
        resolve()
      }
      const check = (): void => {
        if (isTrue() || this.#isStopped) end()
      }
      const timer = setTimeout(end, waitMs)
      this.#watchers.add(check)
    })
  }

  #watch(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }

  #changed(): void {
    this.#watch()
    const { qrcodeText, paircode, reason } = this.#actor.getSnapshot().context
    const now = { status: this.status, qr: qrcodeText, code: paircode, reason }
    const before = this.#written
    if (before === null && now.status === 'disconnected') return
    if (before !== null && before.status === now.status && before.qr === now.qr && before.code === now.code) return
    this.#written = now
    this.#statusWrites = this.#statusWrites.then(() => this.#writeStatus(now))
  }

  /** The stored status must become true even when the store is away for a while: it is tried until it is written or outdated. */
  async #writeStatus(now: WrittenStatus): Promise<void> {
    const qrcode = now.qr === null ? null : await this.#deps.drawQr(now.qr)
    for (let attempt = 0; this.#written === now && !(this.#isStopped && attempt > 0); attempt += 1) {
      try {
        await this.#deps.journal.write([
          { type: 'instance', set: { status: now.status } },
          {
            type: 'event',
            kind: 'connection',
            body: {
              instance: {
                status: now.status,
                ...(now.qr === null ? {} : { qrcode, qrcodeText: now.qr }),
                ...(now.code === null ? {} : { paircode: now.code }),
                ...(now.status === 'disconnected' ? { lastDisconnectReason: now.reason ?? '' } : {}),
              },
              ...(now.status === 'disconnected' && this.#actor.getSnapshot().context.cause === 'loggedOut'
                ? { type: 'LoggedOut' }
                : {}),
            },
          },
        ])
        return
      } catch (error) {
        if (isOver(error)) return
        await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 250 * 2 ** attempt)).unref())
      }
    }
  }

  #live(): LiveStatus {
    const { qrcodeText, paircode, jid, reason } = this.#actor.getSnapshot().context
    const { status } = this
    const state = this.#actor.getSnapshot().value
    return {
      status,
      state: typeof state === 'string' ? state : (Object.values(state)[0] ?? 'online'),
      connected: status === 'connected',
      loggedIn: status === 'connected' || this.#own !== null,
      jid: status === 'connected' ? jid : null,
      qrcodeText,
      paircode,
      reason: status === 'connected' ? null : reason,
      profileName: this.#profileName,
      health: status === 'connected' ? (this.#connection?.health() ?? null) : null,
    }
  }

  #write(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.#deps.journal.write(changes).catch((error: unknown) => {
      const cause = causeOfFailure(error)
      const fields = cause === 'programError' ? { err: error } : { error: messageOf(error) }
      this.#logger[cause === 'programError' ? 'error' : 'warn'](
        fields,
        'A write of an instance failed; its connection starts again from the store.',
      )
      this.#connection?.destroy(cause)
    })
  }
}

/** Nothing of it is written here any more. */
function isOver(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'NOT_OWNER' || error.code === 'INSTANCE_EXPORTED')
}

/** As far as the row tells. */
function senderOf({ record: { sender_pn: pn, sender_lid: lid } }: MessageForActor): ChatAddress {
  return { ...(pn ? { pn: pn as Jid } : {}), ...(lid ? { lid: lid as Jid } : {}) }
}

/** What a call meets in an actor that has been stopped says nothing about the instance. */
function asMoved(error: unknown): unknown {
  const isOfStop =
    error instanceof GatewayError && ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NOT_OWNER'].includes(error.code)
  return isOfStop ? new ShardMoved({ wasBegun: true }) : error
}

/** Reached in a roll-out: the node that asks is newer. It is answered once the instance has moved to a new one. */
function neverCommand(_command: never): never {
  throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
