import type { Writable } from 'node:stream'
import type { WASocket } from '@whiskeysockets/baileys'
import type { InstanceId } from '../../../schemas/ids.js'
import { asFrequentWork } from '../../../schemas/work.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { OutputGuard } from '../port/connection.js'
import { noteFrame } from '../port/sent-frames.js'
import { reset } from './connector.js'

type Sent = (error?: Error) => void

/** The part of a `ws` socket that the gate controls. */
export interface GatedSocket {
  send(data: Uint8Array, sent?: Sent): void
  /** TCP stream of the socket, once it is open. */
  readonly _socket?: Writable | null
}

interface OutputGate {
  /** Number of held frames. */
  readonly waiting: number
  /** Resolves when no frame is held, or the gate is closed. */
  flushed(): Promise<void>
  /** Runs work synchronously. Its frames do not hurry the journal: they leave when other frames do, or when the journal's wait ends. */
  patiently<T>(work: () => T): T
  close(): void
}

/**
 * Holds each frame until everything that was written to the journal before it is durable, and while the node cannot prove that it lives.
 *
 * The causes of a frame are written before the frame is made: a ratchet step when the Signal store changes it (`signal-keys.ts`), a received
 * message when it is decrypted, a sent message before it is relayed. Thus the gate needs no knowledge of frames: it waits for the journal's
 * present end. It waits for nothing else, and never for a frame, so it cannot deadlock. If nothing is pending, a frame such as a keep-alive
 * leaves at once.
 *
 * The guard is checked at the last step before the kernel gets the bytes, not by a timer: a paused process can resume anywhere, also between a
 * frame and its write, or when the kernel accepts bytes again. So it is checked before each frame, and again in the stream's own write
 * (`guardWrites`). While it is closed the frame waits: either the proof is renewed soon, or the node destroys the socket.
 *
 * Frames of one turn leave in one write: a commit releases many, and a write to the kernel for each would cost more than their encryption.
 *
 * Baileys gets the confirmation of a held frame at once: it waits for it inside of its key transaction, and the next send of the account would
 * wait with it.
 *
 * Calls `onReleased` for each frame that was held and left, with the time for which it was held, in milliseconds.
 */
export function gateOutput(
  socket: GatedSocket,
  journal: InstanceJournal,
  guard: OutputGuard,
  onFailure: (error: unknown) => void,
  onReleased: (heldMs: number) => void = () => {},
): OutputGate {
  return new FrameGate(socket, { journal, guard, onFailure, onReleased })
}

interface GateOptions {
  readonly journal: InstanceJournal
  readonly guard: OutputGuard
  readonly onFailure: (error: unknown) => void
  readonly onReleased: (heldMs: number) => void
}

interface HeldFrame {
  readonly data: Uint8Array
  readonly durable: Promise<void>
  readonly sinceMs: number
}

class FrameGate implements OutputGate {
  readonly #socket: GatedSocket
  readonly #options: GateOptions
  readonly #sendOne: GatedSocket['send']
  readonly #held: HeldFrame[] = []
  /** Resolves when no frame is held, or the gate is closed. Null while none is held. */
  #draining: Promise<void> | null = null
  #isCorked = false
  #isPatient = false
  #isClosed = false
  #guarded: Writable | undefined

  constructor(socket: GatedSocket, options: GateOptions) {
    this.#socket = socket
    this.#options = options
    this.#sendOne = socket.send.bind(socket)
    socket.send = (data, sent) => this.#accept(data, sent)
  }

  get waiting(): number {
    return this.#held.length
  }

  async flushed(): Promise<void> {
    await this.#draining
  }

  patiently<T>(work: () => T): T {
    this.#isPatient = true
    try {
      return work()
    } finally {
      this.#isPatient = false
    }
  }

  close(): void {
    this.#isClosed = true
    this.#held.length = 0
  }

  #accept(data: Uint8Array, sent?: Sent): void {
    if (this.#isClosed) {
      sent?.(new Error('The connection is closed.'))
      return
    }
    noteFrame()
    const { journal, guard } = this.#options
    const held = this.#held
    const durable = journal.settled(this.#isPatient ? 'soon' : undefined)
    if (durable === undefined && held.length === 0 && guard.isOpen()) {
      this.#send(data, sent)
      return
    }
    const ready = durable ?? Promise.resolve()
    // Handles a failed write now, because the drain loop may reach this frame much later.
    ready.catch(() => {})
    held.push({ data, durable: ready, sinceMs: performance.now() })
    sent?.()
    this.#draining ??= this.#drain()
  }

  async #drain(): Promise<void> {
    const { guard, onFailure, onReleased } = this.#options
    const held = this.#held
    try {
      for (let next = held[0]; next !== undefined && !this.#isClosed; next = held[0]) {
        await next.durable
        while (!guard.isOpen() && !this.#isClosed) await guard.opened()
        if (this.#isClosed) return
        held.shift()
        onReleased(performance.now() - next.sinceMs)
        this.#send(next.data)
      }
    } catch (error) {
      this.close()
      onFailure(error)
    } finally {
      // In the same step in which the last frame was sent: the next frame starts a new loop.
      this.#draining = null
    }
  }

  #send(data: Uint8Array, sent?: Sent): void {
    const stream = this.#socket._socket
    if (stream && this.#guarded !== stream) {
      this.#guarded = stream
      guardWrites(stream, this.#options.guard, () => this.#isClosed)
    }
    if (!this.#isCorked && stream) {
      this.#isCorked = true
      stream.cork()
      process.nextTick(() => {
        this.#isCorked = false
        stream.uncork()
      })
    }
    this.#sendOne(data, sent)
  }
}

/** Holds bytes that the stream has buffered while the guard is closed. They are dropped with the stream. */
function guardWrites(stream: Writable, guard: OutputGuard, isClosed: () => boolean): void {
  const [writeOne, writeMany] = [stream._write.bind(stream), stream._writev?.bind(stream)]
  const pass = (write: () => void): void => {
    if (guard.isOpen()) write()
    else void passLater(write)
  }
  const passLater = async (write: () => void): Promise<void> => {
    while (!guard.isOpen() && !isClosed()) await guard.opened()
    if (!isClosed() && !stream.destroyed) write()
  }
  stream._write = (chunk, encoding, done) => pass(() => writeOne(chunk, encoding, done))
  if (writeMany !== undefined) stream._writev = (chunks, done) => pass(() => writeMany(chunks, done))
}

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
