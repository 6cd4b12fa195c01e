import type { Logger } from 'pino'
import { type Actor, createActor, fromCallback } from 'xstate'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { addressOf, type ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import type { ConnectionStatus, ConnectRequest, LiveStatus } from '../../schemas/session.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { causeOfFailure, reactions } from '../network/disconnects.js'
import type { Connection, Network, NetworkEvent, Pairing } from '../network/port.js'
import type {
  Account,
  InstanceContext,
  OperationTiming,
  ResolvedChatCache,
  SendsContext,
} from '../operations/context.js'
import type { Command, ReplyOf } from '../operations/index.js'
import { operationOf } from '../operations/index.js'
import { type InstanceEvent, type InstanceTiming, instanceMachine } from './machine.js'
import type { Change, FilesToSend, Happening, InstanceJournal, InstanceReader } from './ports.js'
import { Presences } from './presences.js'
import { changesOf, recordHistory } from './recorder.js'
import { forgetChat } from './sends/resolve.js'
import { Sends } from './sends/sends.js'

export interface InstanceDependencies {
  readonly network: Network
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly files: FilesToSend
  readonly logger: Logger
  readonly timing: InstanceTiming & OperationTiming & { readonly presenceRefreshMs: number }
  readonly resolvedChats: ResolvedChatCache
  readonly epoch: () => number
  /** Paces the logins of the node. */
  readonly logins: { take(go: () => void, isUrgent: boolean): () => void }
  /** Holds a place among the connected instances for one whose phone has just scanned; false when there is none. */
  readonly admit: (instance: InstanceId) => Promise<boolean>
  /** Wakes the queue of the instance after a send was added to it. */
  readonly wakeQueue: () => void
  /** A QR as a data URL, for events. */
  readonly drawQr: (text: string) => Promise<string>
  readonly random: () => number
  /** Counts for metrics. */
  readonly count: (what: Happening) => void
}

const FINISH_LOOK_MS = 5
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
  readonly #presences: Presences
  readonly #context: InstanceContext
  readonly #account: Account = { own: null, profileName: null }
  readonly #watchers = new Set<() => void>()
  /** Ends each call that is not answered yet. */
  readonly #asked = new Set<(why: Error) => void>()
  #connection: Connection | null = null
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
    this.#logger = deps.logger.child({ instanceId: id })
    const { parkTimeoutMs, presenceRefreshMs, presenceMaxMs } = deps.timing
    this.#presences = new Presences({
      refreshMs: presenceRefreshMs,
      maxMs: presenceMaxMs,
      show: (chat, kind) => this.#show(chat, kind),
    })
    const parts: SendsContext = {
      id,
      life: `${id}@${deps.epoch()}`,
      logger: this.#logger,
      journal: deps.journal,
      reader: deps.reader,
      files: deps.files,
      resolvedChats: deps.resolvedChats,
      account: this.#account,
      timing: deps.timing,
      session: this,
      presences: this.#presences,
      random: deps.random,
      wakeQueue: deps.wakeQueue,
      connection: (waitMs = parkTimeoutMs) => this.#openConnection(waitMs),
    }
    this.#sends = new Sends(parts)
    this.#context = { ...parts, sends: this.#sends }
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
  ask(command: Command): Promise<unknown> {
    const operation = operationOf(command.type)
    // In a roll-out a newer node asks: its call is answered once the instance has moved to a new one.
    if (operation === undefined) return Promise.reject(new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 }))
    return new Promise((resolve, reject) => {
      if (operation.endsActor !== true) this.#asked.add(reject)
      const run = async (): Promise<unknown> => operation.run(this.#context, command)
      run()
        .then(resolve, (error: unknown) => reject(this.#isFinishing ? asMoved(error) : error))
        .finally(() => void this.#asked.delete(reject))
    })
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
    this.#presences.stopAll()
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
        admit: () => this.#deps.admit(this.id),
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
        this.#account.own = addressOf(event.jid, event.lid)
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
        this.#account.own = addressOf(event.jid, event.lid)
        this.#account.profileName = event.profileName
        this.#deps.count({ what: 'opened' })
        this.#write([
          {
            type: 'instance',
            set: {
              ...(this.#account.own.pn === undefined ? {} : { ownerJid: this.#account.own.pn }),
              ...(this.#account.own.lid === undefined ? {} : { ownerLid: this.#account.own.lid }),
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
        sendBack({ ...event, type: 'network.closed' })
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
        for (const { chat } of event.chats) forgetChat(this.#context, chat)
        break
      case 'message':
        this.#deps.count({ what: 'inbound' })
        break
      case 'profileName':
        this.#account.profileName = event.name
        break
      default:
    }
    // What is newer than the history is written after it, so that it is not overwritten.
    if (this.#historyParts > 0 && STANDS_IN_HISTORY.has(event.type))
      this.#historyWrites = this.#historyWrites.then(() => this.#write(changesOf(event)))
    else this.#write(changesOf(event))
  }

  /** See the operation `connect`. */
  async connect(command: ConnectRequest): Promise<LiveStatus> {
    // Until then the stored credentials are those of a device that is no more, and a connection may be one that ends.
    await this.#removal
    await this.#deps.journal.settled()?.catch(() => {})
    if (this.status === 'connected') return this.live()
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
    const live = this.live()
    if (this.#hasFailedByUs) throw new GatewayError('INTERNAL', { cause: this.#failure })
    if (pairing !== null && live.status === 'disconnected' && this.#actor.getSnapshot().context.cause === 'storeFailed')
      throw new GatewayError('STORE_UNAVAILABLE')
    if (pairing !== null && live.status === 'disconnected') throw this.#whyNotPaired(live.reason)
    return live
  }

  #whyNotPaired(reason: string | null): GatewayError {
    const { cause } = this.#actor.getSnapshot().context
    switch (cause) {
      case 'asked':
        return new GatewayError('INSTANCE_NOT_CONNECTED', { message: `No session: ${reactions.asked.sentence}` })
      case 'unreachable':
        return new GatewayError('NETWORK_UNREACHABLE', { message: reason ?? reactions.unreachable.sentence })
      case 'instanceLimit':
        return new GatewayError('INSTANCE_LIMIT')
      default:
        return new GatewayError('PAIRING_FAILED', { message: reason ?? reactions.pairingRefused.sentence })
    }
  }

  /** The last attempt to connect ended by an error of the program, and no other one runs. */
  get #hasFailedByUs(): boolean {
    const snapshot = this.#actor.getSnapshot()
    return (
      snapshot.context.cause === 'programError' && (snapshot.matches('waiting') || snapshot.matches('disconnected'))
    )
  }

  /** See the operation `disconnect`. */
  disconnect(): Promise<LiveStatus> {
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
    this.#account.own = null
    this.#account.profileName = null
    return this.live()
  }

  /** See the operation `reset`. */
  reset(): LiveStatus {
    if (this.status === 'disconnected') throw new GatewayError('INSTANCE_NOT_CONNECTED')
    this.#isAwaited = true
    this.#actor.send({ type: 'command.reset' })
    return this.live()
  }

  #stoppedBy(cause: keyof typeof reactions, reason: string, forgetCredentials: boolean): void {
    this.#logger.info({ cause }, 'An instance stopped; only a command connects it again.')
    if (forgetCredentials) {
      this.#account.own = null
      this.#account.profileName = null
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

  #show(chat: ChatAddress, kind: PresenceKind): void {
    this.#connection?.messages
      .showPresence(chat, kind)
      .catch((error: unknown) => this.#logger.debug({ error: messageOf(error) }, 'A presence was not shown.'))
  }

  /** The connection once it is open; while the instance connects, a call waits as for a move. */
  async #openConnection(waitMs: number): Promise<Connection> {
    if (this.status === 'connecting' && this.#hasSession) await this.#until(() => this.status !== 'connecting', waitMs)
    if (this.status === 'connected' && this.#connection !== null) return this.#connection
    if (this.status === 'connecting' && this.#hasSession) throw this.#whyNotOpen()
    throw this.#withoutSession()
  }

  /** It connects, and has not got there in the time that a call waits. */
  #whyNotOpen(): GatewayError {
    const { cause, code, reason } = this.#actor.getSnapshot().context
    if (cause === null || reason === null) return new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
    if (cause === 'storeFailed') return new GatewayError('STORE_UNAVAILABLE', { retryAfterSeconds: 5 })
    return new GatewayError('NOT_LOGGED_IN', {
      message: `Not logged in to the network: ${reason}`,
      retryAfterSeconds: 5,
      ...(code === 0 ? {} : { fields: { provider_code: code } }),
    })
  }

  /** A node that has just lost the instance knows nothing of its session; its caller finds the owner at the next try. */
  #withoutSession(): GatewayError {
    const { cause } = this.#actor.getSnapshot().context
    return cause === 'ownershipLost'
      ? new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 })
      : new GatewayError('INSTANCE_NOT_CONNECTED')
  }

  get isConnected(): boolean {
    return this.status === 'connected'
  }

  /** @throws GatewayError unless connected, or about to be without help */
  require(): void {
    if (!this.#hasSession) throw this.#withoutSession()
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
    const isKnown =
      before?.status === now.status && before.qr === now.qr && before.code === now.code && before.reason === now.reason
    if (isKnown) return
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
                ...(now.status === 'disconnected' || now.reason !== null
                  ? { lastDisconnectReason: now.reason ?? '' }
                  : {}),
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

  live(): LiveStatus {
    const { qrcodeText, paircode, jid, reason } = this.#actor.getSnapshot().context
    const { status } = this
    const state = this.#actor.getSnapshot().value
    return {
      status,
      state: typeof state === 'string' ? state : (Object.values(state)[0] ?? 'online'),
      connected: status === 'connected',
      loggedIn: status === 'connected' || this.#account.own !== null,
      jid: status === 'connected' ? jid : null,
      qrcodeText,
      paircode,
      reason: status === 'connected' ? null : reason,
      profileName: this.#account.profileName,
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

/** What a call meets in an actor that has been stopped says nothing about the instance. */
function asMoved(error: unknown): unknown {
  const isOfStop =
    error instanceof GatewayError &&
    ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NOT_LOGGED_IN', 'NOT_OWNER'].includes(error.code)
  return isOfStop ? new ShardMoved({ wasBegun: true }) : error
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
