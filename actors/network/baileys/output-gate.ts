import type { Writable } from 'node:stream'
import type { InstanceJournal } from '../../instance/ports.js'
import type { OutputGuard } from '../port/connection.js'

type Sent = (error?: Error) => void

/** The part of a `ws` socket that the gate stands before. */
export interface GatedSocket {
  send(data: Uint8Array, sent?: Sent): void
  /** The TCP stream under it, once it is open. */
  readonly _socket?: Writable | null
}

export interface OutputGate {
  /** Frames that wait for their causes. */
  readonly waiting: number
  close(): void
}

/**
 * A frame leaves only when everything that was written to the journal before it is durable, and while the node can prove that it lives.
 *
 * The causes of a frame are written before the frame is made: a ratchet step when the Signal store changes it (`signal-keys.ts`), a
 * received message when it is decrypted, a message of ours before it is relayed. So the barrier needs no knowledge of what the frame
 * is: it waits for the journal's present end. It waits for nothing else, never for a frame, so it cannot deadlock; with nothing
 * pending a frame (a keep-alive, say) goes straight out.
 *
 * The guard is asked at the last step before the bytes are given to the kernel, not at a timer: a process that was paused wakes anywhere,
 * also between a frame and the write in which it leaves, or when the kernel takes bytes again. So it is asked before each frame and again in
 * the stream's own write (`guardWrites`). Where it is closed the frame waits: either the proof comes back soon, or the node destroys the socket.
 *
 * Frames that leave in one turn leave in one write: a commit releases many, and a write to the kernel each would cost more than the
 * encryption of what is in them.
 *
 * Baileys is told at once that a held frame was sent: it waits for that answer inside its key transaction, and the next send of the
 * account would wait with it.
 *
 * `onReleased` hears of each frame that was held and left, how long it had waited, in milliseconds.
 */
export function gateOutput(
  socket: GatedSocket,
  journal: InstanceJournal,
  guard: OutputGuard,
  onFailure: (error: unknown) => void,
  onReleased: (heldMs: number) => void = () => {},
): OutputGate {
  const sendOne = socket.send.bind(socket)
  const held: { data: Uint8Array; durable: Promise<void>; sinceMs: number }[] = []
  let isDraining = false
  let isCorked = false
  let isClosed = false
  let guarded: Writable | undefined

  function send(data: Uint8Array, sent?: Sent): void {
    const stream = socket._socket
    if (stream && guarded !== stream) {
      guarded = stream
      guardWrites(stream, guard, () => isClosed)
    }
    if (!isCorked && stream) {
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    sendOne(data, sent)
  }

  async function drain(): Promise<void> {
    isDraining = true
    try {
      for (let next = held[0]; next !== undefined && !isClosed; next = held[0]) {
        await next.durable
        while (!guard.isOpen() && !isClosed) await guard.opened()
        if (isClosed) return
        held.shift()
        onReleased(performance.now() - next.sinceMs)
        send(next.data)
      }
    } catch (error) {
      isClosed = true
      held.length = 0
      onFailure(error)
    } finally {
      isDraining = false
    }
  }

  socket.send = (data, sent) => {
    if (isClosed) {
      sent?.(new Error('The connection is closed.'))
      return
    }
    const durable = journal.settled()
    if (durable === undefined && held.length === 0 && guard.isOpen()) {
      send(data, sent)
      return
    }
    const ready = durable ?? Promise.resolve()
    // The drain loop may reach this frame late: without a handler of its own a failed write would be unhandled until then.
    ready.catch(() => {})
    held.push({ data, durable: ready, sinceMs: performance.now() })
    sent?.()
    if (!isDraining) void drain()
  }

  return {
    get waiting() {
      return held.length
    },
    close() {
      isClosed = true
      held.length = 0
    },
  }
}

/** Bytes that the stream has buffered wait in its write while the guard is closed, and are dropped with the stream. */
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
