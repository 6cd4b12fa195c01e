import type { Logger } from 'pino'
import { errorText } from '../../lib/error-text.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import { causeOfFailure } from '../network/disconnects.js'
import type { Connection, Network } from '../network/port/connection.js'
import type { DisconnectCause, NetworkEvent } from '../network/port/events.js'
import type { InstanceReader } from './instance-reader.js'
import type { ConnectionInput } from './machine-events.js'
import type { Change, InstanceJournal, WriteDelay } from './ports.js'

export interface ConnectionDependencies {
  readonly network: Network
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly epoch: () => number
  /** Paces the logins of the node. */
  readonly logins: {
    take(go: () => void, isUrgent: boolean): () => void
    /** Notes how a login has ended, null when its connection was opened, and its duration, null if it waited for a person. */
    ended(cause: DisconnectCause | null, durationMs: number | null): void
  }
  /** Reserves a place among the connected instances for one whose phone has just scanned. Resolves to false if there is none. */
  readonly admit: (instance: InstanceId) => Promise<boolean>
}

/** The connection of an instance to the network. The machine holds one at most. */
export class LiveConnection {
  readonly #id: InstanceId
  readonly #deps: ConnectionDependencies
  readonly #logger: Logger
  readonly #prepare: () => Promise<void>
  #current: Connection | null = null
  /** The error that ended the last connection, if one did. */
  lastError: unknown

  /** @param prepare is called before each connection, which waits for it */
  constructor(id: InstanceId, deps: ConnectionDependencies, logger: Logger, prepare: () => Promise<void>) {
    this.#id = id
    this.#deps = deps
    this.#logger = logger
    this.#prepare = prepare
  }

  /** The connection from its login until it ends, whether it is open already or not. */
  get current(): Connection | null {
    return this.#current
  }

  /** Opens a connection when its login has its turn. Returns a function that ends it. */
  hold({ pairing, isAwaited }: ConnectionInput, hear: (event: NetworkEvent) => void): () => void {
    const { network, journal, reader, epoch, admit, logins } = this.#deps
    let isLeft = false
    let isLogin = true
    let begunMs = 0
    let connection: Connection | undefined
    const noteLogin = (event: NetworkEvent): void => {
      if (!isLogin || (event.type !== 'opened' && event.type !== 'closed')) return
      isLogin = false
      const durationMs = pairing === null ? performance.now() - begunMs : null
      logins.ended(event.type === 'opened' ? null : event.cause, durationMs)
    }
    const open = (): void => {
      begunMs = performance.now()
      connection = network.open({
        instance: this.#id,
        journal,
        reader,
        pairing,
        epoch: epoch(),
        admit: () => admit(this.#id),
        prepare: this.#prepare,
        // The end of a connection that the machine has left already says nothing about the one that followed it.
        on: (event) => {
          if (isLeft) return
          noteLogin(event)
          hear(event)
        },
      })
      this.#current = connection
    }
    const takeBack = logins.take(open, isAwaited)
    return () => {
      isLeft = true
      takeBack()
      if (this.#current === connection) this.#current = null
      connection?.destroy()
    }
  }

  /** Writes what the connection caused. If that fails, the connection ends, and starts again from the store. */
  write(changes: readonly Change[], when?: WriteDelay): void {
    if (changes.length === 0) return
    this.#deps.journal.write(changes, when).catch((error: unknown) => {
      const cause = causeOfFailure(error)
      const fields = cause === 'programError' ? { err: error } : { error: errorText(error) }
      this.#logger[cause === 'programError' ? 'error' : 'warn'](
        fields,
        'A write of an instance failed. Its connection starts again from the store.',
      )
      this.#current?.destroy(cause)
    })
  }

  /** Shows a presence, if there is a connection. Never throws. */
  async showPresence(chat: ChatAddress, kind: PresenceKind): Promise<void> {
    try {
      await this.#current?.messages.showPresence(chat, kind)
    } catch (error) {
      this.#logger.debug({ error: errorText(error) }, 'A presence was not shown.')
    }
  }
}
