import type { AuthenticationCreds, BinaryNode, WASocket } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import { ChangeUnanswered } from '../port/change-unanswered.js'
import type { VersionChoice } from '../port/client-version.js'
import type { OpenOptions } from '../port/connection.js'
import type { NetworkEvent } from '../port/events.js'
import type { NetworkRoute } from '../route/route.js'
import { encodeCredentials } from './credentials.js'
import type { QuerySettings } from './mex.js'
import type { GatedWebsocket } from './output-gate.js'
import type { OwnAddresses } from './own-devices.js'
import type { SignalKeys } from './signal-keys.js'

export interface LiveSocketOptions {
  readonly open: OpenOptions
  readonly logger: Logger
  readonly queries: QuerySettings
  /** Ends the connection. */
  readonly onFailure: (error: unknown) => void
}

/** The library's socket of one connection, and the state that all parts of the connection share. */
export class LiveSocket {
  readonly instance: InstanceId
  readonly reader: InstanceReader
  /** Journal of the instance. Rejects writes once the connection is closed. */
  readonly journal: InstanceJournal
  readonly logger: Logger
  /** Numbers of queries that the operator replaces. */
  readonly queries: QuerySettings
  readonly #options: LiveSocketOptions
  /** Rejects each call that waits for the library. */
  readonly #waiting = new Set<() => void>()
  readonly #cleanUps: (() => void)[] = []
  credentials: AuthenticationCreds | undefined
  keys: SignalKeys | undefined
  socket: WASocket | undefined
  websocket: GatedWebsocket | undefined
  /** Version of this login, and where its outcome is reported. */
  version: VersionChoice | undefined
  isOpen = false
  #route: NetworkRoute | undefined
  #isClosed = false

  constructor(options: LiveSocketOptions) {
    const { instance, reader, journal } = options.open
    this.#options = options
    this.instance = instance
    this.reader = reader
    this.logger = options.logger
    this.queries = options.queries
    this.journal = connectionJournal(journal, () => this.#isClosed)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The route of the account's traffic. @throws GatewayError INSTANCE_NOT_CONNECTED before the socket is made */
  get route(): NetworkRoute {
    if (this.#route === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    return this.#route
  }

  set route(route: NetworkRoute) {
    this.#route = route
    this.onClose(() => route.close())
  }

  get hasRoute(): boolean {
    return this.#route !== undefined
  }

  /** Returns the library's socket. @throws GatewayError INSTANCE_NOT_CONNECTED unless the connection is open */
  live(): WASocket {
    if (this.socket === undefined || this.#isClosed || !this.isOpen) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    return this.socket
  }

  /**
   * Waits for a query of the library, but no longer than the connection lasts. The library itself ends its queries only after a timeout
   * of a minute.
   * @param isChange true for a query that may be carried out although its answer is lost
   * @throws GatewayError INSTANCE_MOVING, caused by `ChangeUnanswered` for such a query
   */
  whileOpen<T>(work: Promise<T>, isChange = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void =>
        reject(
          new GatewayError('INSTANCE_MOVING', {
            retryAfterSeconds: 1,
            ...(isChange ? { cause: new ChangeUnanswered() } : {}),
          }),
        )
      this.#waiting.add(end)
      work
        .then(resolve, (error: unknown) => (this.socket?.ws.isOpen ? reject(error) : end()))
        .finally(() => this.#waiting.delete(end))
    })
  }

  /**
   * Asks the network something. The library gives no answer, and no error, when the network is silent for a minute.
   * @param isChange true for a request that may be carried out although its answer is lost
   * @throws Boom with the network's code in `data`; GatewayError OUTCOME_UNKNOWN, INSTANCE_MOVING, INSTANCE_NOT_CONNECTED
   */
  async query(request: BinaryNode, isChange = request.attrs.type === 'set'): Promise<BinaryNode> {
    const answer = await this.whileOpen(this.live().query(request) as Promise<BinaryNode | undefined>, isChange)
    if (answer === undefined) throw new GatewayError('OUTCOME_UNKNOWN')
    return answer
  }

  own(): OwnAddresses {
    const me = this.credentials?.me
    return { jid: me?.id ?? '', lid: me?.lid ?? null }
  }

  emit(event: NetworkEvent): void {
    if (!this.#isClosed) this.#options.open.on(event)
  }

  /** Writes to the journal. A failed write ends the connection. */
  write(changes: Parameters<InstanceJournal['write']>[0]): void {
    this.journal.write(changes).catch((error: unknown) => this.fail(error))
  }

  /** Writes the credentials, which the library changes in place. */
  writeCredentials(credentials: AuthenticationCreds): void {
    this.write([{ type: 'credentials', data: encodeCredentials(credentials) }])
  }

  /** Ends the connection if the work fails. The network then gets no answer, and sends the same again to the next connection. */
  async orFail<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  /** Ends the connection, because memory is ahead of the store. The next connection starts from the store. */
  fail(error: unknown): void {
    this.#options.onFailure(error)
  }

  /** Calls the function when the connection ends. */
  onClose(cleanUp: () => void): void {
    this.#cleanUps.push(cleanUp)
  }

  /** Ends all frames, and refuses all later writes, events and calls. */
  close(): void {
    for (const cleanUp of this.#cleanUps) cleanUp()
    this.#isClosed = true
    this.websocket?.cut()
  }

  /** Rejects all calls that wait for the library. */
  rejectWaiting(): void {
    for (const end of this.#waiting) end()
  }
}

/**
 * Makes a journal that rejects writes once the connection is closed. The library may still be handling half of a step then: the ratchet would
 * advance without the message, which the network sends again to the next connection.
 */
function connectionJournal(journal: InstanceJournal, isClosed: () => boolean): InstanceJournal {
  return {
    write: (changes, when) =>
      isClosed() ? Promise.reject(new GatewayError('INSTANCE_NOT_CONNECTED')) : journal.write(changes, when),
    settled: (when) => journal.settled(when),
    together: (work) => journal.together(work),
  }
}
