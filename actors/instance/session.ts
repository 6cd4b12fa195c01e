import { type Actor, type SnapshotFrom, waitFor } from 'xstate'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { parseReadingSettings } from '../../schemas/instance-settings.js'
import type { ConnectionStatus, ConnectRequest, LiveStatus, RouteView } from '../../schemas/session.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { reactions } from '../network/disconnects.js'
import type { Connection, Network, Pairing } from '../network/port/connection.js'
import type { DisconnectCause } from '../network/port/events.js'
import type { InstanceReader } from './instance-reader.js'
import type { LiveConnection } from './live-connection.js'
import type { instanceMachine } from './machine.js'
import type { InstanceNotice } from './machine-events.js'
import { PasskeySession } from './passkey-session.js'
import type { InstanceJournal } from './ports.js'
import type { Account, Session } from './sends/context.js'

type Snapshot = SnapshotFrom<typeof instanceMachine>

export interface SessionParts {
  readonly id: InstanceId
  readonly network: Network
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly machine: Actor<typeof instanceMachine>
  readonly connection: LiveConnection
  readonly account: Account
}

function readStatus(snapshot: Snapshot): ConnectionStatus {
  return snapshot.hasTag('connected') ? 'connected' : snapshot.hasTag('connecting') ? 'connecting' : 'disconnected'
}

/** The life of the connection of one instance, as its operations see and change it. */
export class InstanceSession implements Session {
  /** The pairing with a passkey. */
  readonly passkey: PasskeySession
  readonly #parts: SessionParts
  /** Since when the proxy of the instance fails; null while it does not. */
  #proxyFailedAtMs: number | null = null
  /** True after a command to stop, until one to connect. */
  #isHeldBack = false
  /** Resolves when the session that is being removed is removed, or could not be. */
  #removal: Promise<unknown> = Promise.resolve()

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.passkey = new PasskeySession(parts)
  }

  get status(): ConnectionStatus {
    return readStatus(this.#snapshot)
  }

  get isConnected(): boolean {
    return this.status === 'connected'
  }

  /** True from the moment at which the actor begins nothing new. */
  get isFinishing(): boolean {
    return this.isStopped || !this.#snapshot.matches({ life: 'running' })
  }

  /** True once the machine is stopped. Nothing can be waited for then. */
  get isStopped(): boolean {
    return this.#snapshot.status === 'stopped'
  }

  assertActive(): void {
    if (!this.#isHeld) throw this.#withoutSession()
  }

  /** Connects with the stored credentials, as after a restart of the node, unless a connection is on its way already. */
  resume(): void {
    // The list of the instances to connect may be older than the command to stop this one.
    if (this.status !== 'disconnected' || this.#isHeldBack) return
    this.#parts.machine.send({ type: 'command.resume' })
  }

  /** Connects at once if the network refused the former version. */
  versionChanged(): void {
    this.#parts.machine.send({ type: 'version.changed' })
  }

  /** See the operation `connect`. */
  async connect(command: ConnectRequest): Promise<LiveStatus> {
    this.#isHeldBack = false
    // Until then the stored credentials are those of a device that is being removed, and a connection may be one that ends.
    await this.#removal
    await this.#parts.journal.settled()?.catch(() => {})
    if (this.status === 'connected') return this.live()
    const isPairing = this.#snapshot.matches({ session: 'pairing' })
    const pairing = isPairing ? await this.#pairingBy(command) : await this.#pairingFor(command)
    if (!isPairing || !this.#isPairingAs(pairing)) this.#parts.machine.send({ type: 'command.connect', pairing })
    await this.#until((snapshot) => {
      const { qrcodeText, paircode } = snapshot.context
      if (readStatus(snapshot) !== 'connecting' || hasFailedByUs(snapshot)) return true
      if (snapshot.context.passkey !== null) return true
      return pairing?.by === 'code' ? paircode !== null : qrcodeText !== null
    }, command.waitMs)
    if (this.isStopped) throw new ShardMoved({ wasBegun: true })
    const live = this.live()
    const failure = this.#failureToConnect(pairing, live)
    if (failure !== null) throw failure
    return live
  }

  /** See the operation `disconnect`. */
  disconnect(): Promise<LiveStatus> {
    const removed = this.#remove()
    this.#removal = Promise.allSettled([this.#removal, removed])
    return removed
  }

  /** See the operation `start`. */
  async start(waitMs: number): Promise<LiveStatus> {
    const { id, network, reader } = this.#parts
    const stored = await reader.credentials(id)
    if (stored === null || !network.isPaired(stored)) throw new GatewayError('INSTANCE_NOT_PAIRED')
    return await this.connect({ waitMs })
  }

  /** See the operation `stop`. */
  async stop(): Promise<LiveStatus> {
    const wasOnline = this.status !== 'disconnected'
    this.#isHeldBack = true
    this.#parts.machine.send({ type: 'command.stop' })
    const lastDisconnectReason = reactions.stopped.sentence
    const set = {
      desiredConnected: false,
      ...(wasOnline ? { lastDisconnectAt: new Date(), lastDisconnectReason } : {}),
    }
    await this.#parts.journal.write([{ type: 'instance', set }])
    return this.live()
  }

  /** See the operation `reset`. */
  reset(): LiveStatus {
    if (this.status === 'disconnected') throw new GatewayError('INSTANCE_NOT_CONNECTED')
    this.#parts.machine.send({ type: 'command.reset' })
    return this.live()
  }

  /** See the operation `renewRoute`. */
  renewRoute(): LiveStatus {
    const { machine } = this.#parts
    const { pairing } = this.#snapshot.context
    if (this.#snapshot.matches({ session: 'pairing' })) machine.send({ type: 'command.connect', pairing })
    else machine.send({ type: 'command.reset' })
    return this.live()
  }

  live(): LiveStatus {
    const { account, connection } = this.#parts
    const { status } = this
    const { value, context } = this.#snapshot
    const { session } = value
    const { qrcodeText, paircode, jid, reason } = context
    const passkey = this.passkey.show()
    return {
      status,
      state:
        typeof session === 'string' ? session : 'online' in session ? session.online : pairingState(session.pairing),
      connected: status === 'connected',
      loggedIn: status === 'connected' || account.own !== null,
      jid: status === 'connected' ? jid : null,
      qrcodeText,
      paircode,
      passkey,
      reason: status === 'connected' ? null : reason,
      progress: {
        cause: status === 'connected' ? null : context.cause,
        attempt: context.attempt,
        nextAttemptAtMs: session === 'waiting' ? context.nextAttemptAtMs : null,
        qrEndsAtMs: context.qrEndsAtMs,
        pairingEndsAtMs: passkey.untilMs ?? context.pairingEndsAtMs,
      },
      profileName: account.profileName,
      health: status === 'connected' ? (connection.current?.health() ?? null) : null,
      route: this.#route(),
    }
  }

  /** Resolves to the connection once it is open. While the instance connects, a call waits as for a move. */
  async connection(waitMs: number): Promise<Connection> {
    const { connection } = this.#parts
    if (this.status === 'connecting' && this.#isHeld)
      await this.#until((snapshot) => readStatus(snapshot) !== 'connecting', waitMs)
    if (this.status === 'connected' && connection.current !== null) return connection.current
    if (this.status === 'connecting' && this.#isHeld) throw this.#notOpenInTime()
    throw this.#withoutSession()
  }

  /** Writes that the connection was lost, and that the machine reconnects. */
  lost({ cause, reason }: Extract<InstanceNotice, { type: 'lost' }>): void {
    this.#noteProxy(cause)
    const set = { lastDisconnectAt: new Date(), lastDisconnectReason: reason }
    this.#parts.connection.write([{ type: 'instance', set }])
  }

  /** Writes that the connection ended, and that only a command connects again. */
  ended({ cause, reason, forgetCredentials }: Extract<InstanceNotice, { type: 'stopped' }>): void {
    this.#noteProxy(cause)
    if (forgetCredentials) this.#forgetAccount()
    if (cause === 'ownershipLost') return
    this.#parts.connection.write([
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

  get #snapshot(): Snapshot {
    return this.#parts.machine.getSnapshot()
  }

  /** True if the instance is connected, or about to be without help. */
  get #isHeld(): boolean {
    return this.status !== 'disconnected' && !this.#snapshot.matches({ session: 'pairing' })
  }

  #noteProxy(cause: DisconnectCause): void {
    this.#proxyFailedAtMs = cause === 'proxyFailed' ? (this.#proxyFailedAtMs ?? Date.now()) : null
  }

  #route(): RouteView {
    const { current } = this.#parts.connection
    const { cause, reason } = this.#snapshot.context
    if (this.status === 'connected' && current !== null) return current.route()
    if (cause !== 'proxyFailed') return { via: null, failure: null, sinceMs: null }
    return { via: null, failure: reason ?? reactions.proxyFailed.sentence, sinceMs: this.#proxyFailedAtMs }
  }

  /** Returns the pairing that a command asks for; null if the instance is paired already. */
  async #pairingFor(command: ConnectRequest): Promise<Pairing | null> {
    const { id, network, reader } = this.#parts
    const stored = await reader.credentials(id)
    return stored !== null && network.isPaired(stored) ? null : await this.#pairingBy(command)
  }

  async #pairingBy({ phone, browser = 'auto' }: ConnectRequest): Promise<Pairing> {
    const { id, reader } = this.#parts
    const { fullHistory } = parseReadingSettings(await reader.readingSettings(id))
    const history = fullHistory ? { fullHistory } : {}
    return phone === undefined ? { by: 'qr', browser, ...history } : { by: 'code', phone, ...history }
  }

  /** Returns true if the pairing that is under way is the wanted one. */
  #isPairingAs(wanted: Pairing | null): boolean {
    const { pairing } = this.#snapshot.context
    if (pairing === null || pairing.by !== wanted?.by) return false
    return wanted.by !== 'code' || (pairing.by === 'code' && pairing.phone === wanted.phone)
  }

  #failureToConnect(pairing: Pairing | null, { status, reason }: LiveStatus): GatewayError | null {
    if (hasFailedByUs(this.#snapshot)) return new GatewayError('INTERNAL', { cause: this.#parts.connection.lastError })
    if (pairing === null || status !== 'disconnected') return null
    switch (this.#snapshot.context.cause) {
      case 'storeFailed':
        return new GatewayError('STORE_UNAVAILABLE')
      case 'asked':
        return new GatewayError('INSTANCE_NOT_CONNECTED', { message: `No session: ${reactions.asked.sentence}` })
      case 'unreachable':
        return new GatewayError('NETWORK_UNREACHABLE', { message: reason ?? reactions.unreachable.sentence })
      case 'proxyFailed':
        return new GatewayError('PROXY_FAILED', { message: reason ?? reactions.proxyFailed.sentence })
      case 'instanceLimit':
        return new GatewayError('INSTANCE_LIMIT')
      default:
        return new GatewayError('PAIRING_FAILED', { message: reason ?? reactions.pairingRefused.sentence })
    }
  }

  async #remove(): Promise<LiveStatus> {
    const { machine, journal, connection } = this.#parts
    const { current } = connection
    const wasOnline = this.status !== 'disconnected'
    if (current !== null && this.status === 'connected') await current.logout()
    machine.send({ type: 'command.disconnect' })
    await journal.write([
      { type: 'campaign.pauseAll', reason: 'logged_out' },
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
    this.#forgetAccount()
    return this.live()
  }

  #forgetAccount(): void {
    this.#parts.account.own = null
    this.#parts.account.profileName = null
  }

  /** Explains why the instance, which is connecting, was not open within the time that a call waits. */
  #notOpenInTime(): GatewayError {
    const { cause, code, reason } = this.#snapshot.context
    if (cause === null || reason === null) return new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
    if (cause === 'storeFailed') return new GatewayError('STORE_UNAVAILABLE', { retryAfterSeconds: 5 })
    return new GatewayError('NOT_LOGGED_IN', {
      message: `Not logged in to WhatsApp: ${reason}`,
      retryAfterSeconds: 5,
      ...(code === 0 ? {} : { fields: { provider_code: code } }),
    })
  }

  /** A node that has just lost the instance knows nothing of its session. The caller finds the owner at the next try. */
  #withoutSession(): GatewayError {
    return this.#snapshot.context.cause === 'ownershipLost'
      ? new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 })
      : new GatewayError('INSTANCE_NOT_CONNECTED')
  }

  /** Resolves when the machine satisfies the predicate, when the time is up, or when the machine is stopped. */
  async #until(isTrue: (snapshot: Snapshot) => boolean, waitMs: number): Promise<void> {
    if (this.isStopped) return
    await waitFor(this.#parts.machine, isTrue, { timeout: waitMs }).catch(() => {})
  }
}

/** Names the state of a pairing. Callers know the first one as `pairing` alone. */
function pairingState<State extends string>(state: State): string {
  return state === 'offering' ? 'pairing' : state
}

/** Returns true if the last attempt to connect ended by an error of the program, and no other one runs. */
function hasFailedByUs(snapshot: Snapshot): boolean {
  const { session } = snapshot.value
  return snapshot.context.cause === 'programError' && (session === 'waiting' || session === 'disconnected')
}
