import { errorText } from '../../schemas/error-text.js'
import { GatewayError } from '../../schemas/errors.js'
import type { ConnectionStatus } from '../../schemas/session.js'
import type { DisconnectCause } from '../network/port/events.js'
import type { Change } from './ports.js'
import type { SendsContext } from './sends/context.js'

export interface ConnectionState {
  readonly status: ConnectionStatus
  /** The machine's state, finer than the status. */
  readonly state: string
  readonly cause: DisconnectCause | null
  /** The network's code; 0 if it gave none. */
  readonly code: number
  readonly reason: string | null
}

type Entry = ConnectionState & { readonly atMs: number }

/** Maximum of entries that wait for the store. Older ones are dropped. */
const WAITING_MAX = 20

/** Writes each change of the connection's status, and each new cause, with its time. Entries that the store did not take wait for the next. */
export class ConnectionHistory {
  readonly #context: Pick<SendsContext, 'journal' | 'logger'>
  readonly #node: string
  #last = ''
  #waiting: readonly Entry[] = []

  constructor(context: Pick<SendsContext, 'journal' | 'logger'>, node: string) {
    this.#context = context
    this.#node = node
  }

  note(now: ConnectionState): void {
    const { status, cause, code, reason } = now
    const name = JSON.stringify([status, status === 'connected' ? null : [cause, code, reason]])
    // An actor begins as disconnected. That is no change.
    if (name === this.#last || (this.#last === '' && status === 'disconnected')) return
    this.#last = name
    this.#write([...this.#waiting, { ...now, atMs: Date.now() }].slice(-WAITING_MAX))
  }

  #write(entries: readonly Entry[]): void {
    this.#waiting = []
    this.#context.journal.write(entries.map((entry) => this.#changeOf(entry))).catch((error: unknown) => {
      const isOver = error instanceof GatewayError && ['NOT_OWNER', 'INSTANCE_EXPORTED'].includes(error.code)
      if (!isOver) this.#waiting = [...entries, ...this.#waiting].slice(-WAITING_MAX)
      this.#context.logger.debug({ error: errorText(error) }, 'The history of a connection was not stored.')
    })
  }

  #changeOf({ status, state, cause, code, reason, atMs }: Entry): Change {
    const why =
      status === 'connected' ? { cause: '', code: 0, reason: '' } : { cause: cause ?? '', code, reason: reason ?? '' }
    return { type: 'connection', ageMs: Date.now() - atMs, status, state, ...why, node: this.#node }
  }
}
