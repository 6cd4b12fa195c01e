import type { WASocket } from '@whiskeysockets/baileys'
import type { InstanceId } from '../../../schemas/ids.js'
import { asFrequentWork } from '../../../schemas/work.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { OutputGuard } from '../port/connection.js'
import { reset } from './connector.js'
import { type GatedSocket, gateOutput, type OutputGate } from './output-gate.js'

/** The part of `ws` that the library holds. */
type Websocket = GatedSocket &
  NodeJS.EventEmitter & { readonly bufferedAmount: number; close(): void; terminate(): void }

export interface GatedWebsocketOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly guard: OutputGuard
  /** Called for each frame that was held and left, with the time for which it was held. */
  readonly onFrameHeld: (heldMs: number) => void
  /** Called for each received frame. */
  readonly onFrame: () => void
  /** Called when the server answers the upgrade with an HTTP status. */
  readonly onRefused: (status: number) => void
  readonly onFailure: (error: unknown) => void
}

/** Numbers of frames and bytes that wait, above which nothing is sent that may be sent later. */
const HELD_MAX = 1_000
const BUFFERED_MAX_BYTES = 1024 * 1024

/** The library's websocket with the output gate in front of it. */
export class GatedWebsocket {
  readonly #raw: Websocket
  readonly #gate: OutputGate
  #wasReached = false

  constructor(socket: WASocket, options: GatedWebsocketOptions) {
    const { instance, journal, guard, onFrameHeld, onFrame, onRefused, onFailure } = options
    const raw = (socket.ws as unknown as { socket: Websocket }).socket
    this.#raw = raw
    raw.once('open', () => {
      this.#wasReached = true
    })
    // The library listens to this event and does nothing, and then the websocket does nothing either.
    raw.once('unexpected-response', (_request: unknown, response: { statusCode?: number }) =>
      onRefused(response.statusCode ?? 0),
    )
    // If the library or the network ends the connection, earlier frames are read first: they have the reason.
    raw.close = () => void setImmediate(() => this.cut())
    this.#gate = gateOutput(raw, journal, guard, onFailure, onFrameHeld)
    raw.on('message', onFrame)
    nameFrames(raw, instance)
  }

  /** True once the network's server has accepted the connection, whatever the outcome of the login. */
  get wasReached(): boolean {
    return this.#wasReached
  }

  /** Number of frames that the gate holds. */
  get held(): number {
    return this.#gate.waiting
  }

  /** True while the network takes frames more slowly than they are made. */
  get isCongested(): boolean {
    return this.held > HELD_MAX || this.#raw.bufferedAmount > BUFFERED_MAX_BYTES
  }

  /** Resolves when the gate holds no frame, or is closed. */
  flushed(): Promise<void> {
    return this.#gate.flushed()
  }

  /** As of the gate. */
  patiently<T>(work: () => T): T {
    return this.#gate.patiently(work)
  }

  /** Ends the connection at once. Nothing leaves afterwards, not even a farewell. */
  cut(): void {
    this.#gate.close()
    reset(this.#raw._socket)
    this.#raw.terminate()
  }
}

/** Names the work with each received frame: its decryption, and the handlers of the library. */
function nameFrames(raw: Websocket, instance: InstanceId): void {
  const work = { kind: 'frame', operation: 'frame', feature: 'network', instance, id: '' } as const
  const emit = raw.emit.bind(raw)
  raw.emit = (event: string | symbol, ...values: unknown[]) =>
    event === 'message' ? asFrequentWork(work, () => emit(event, ...values)) : emit(event, ...values)
}
