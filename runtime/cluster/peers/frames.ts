/**
 * Frames of a wire: a connection that is kept, with many calls under way at once. A wire begins as HTTP, on the port of probes and
 * sessions, and continues in frames. Between processes that sleep in between, the exchange of a send takes 1.9 ms over HTTP and 1.0 ms
 * over frames (docs/decisions/0011-wires-between-nodes.md).
 *
 * A frame: its length without these four bytes (u32), its kind (u8), the number of its call on this wire (u32), the length of its head
 * (u16), the head (ASCII), the body (UTF-8). All numbers are big-endian.
 */

export const REQUEST = 1
/** A request that is answered at once by a sign of life, as soon as the call has its place. */
export const ORDERED_REQUEST = 2
export const ANSWER = 3
/** Sign of life: the other node works on the call. */
export const ALIVE = 4
/** The serving node takes no more calls on this wire. The number of its call is 0. */
export const LEAVING = 5

export interface WireFrame {
  readonly kind: number
  readonly call: number
  /** Path and credential of a request; status and signature of an answer. */
  readonly head: string
  readonly body: Buffer
}

const PREFIX_BYTES = 4
const FIXED_BYTES = 7
/** Added to the maximum size of a body. */
const HEAD_MAX_BYTES = 1_024

export function encodeFrame(kind: number, call: number, head = '', body = ''): Buffer {
  const bodyBytes = Buffer.byteLength(body)
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + FIXED_BYTES + head.length + bodyBytes)
  frame.writeUInt32BE(FIXED_BYTES + head.length + bodyBytes, 0)
  frame.writeUInt8(kind, 4)
  frame.writeUInt32BE(call, 5)
  frame.writeUInt16BE(head.length, 9)
  frame.write(head, 11, 'latin1')
  frame.write(body, 11 + head.length)
  return frame
}

/** Puts frames together from chunks that arrive. */
export class FrameReader {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0
  /** Length of the frame that is arriving; null until it is known. */
  #length: number | null = null

  constructor(bodyMaxBytes: number) {
    this.#maxBytes = bodyMaxBytes + HEAD_MAX_BYTES
  }

  /** Returns the frames that are complete. @throws RangeError if the bytes are no frame, or a longer one than allowed */
  push(chunk: Buffer): readonly WireFrame[] {
    this.#parts.push(chunk)
    this.#bytes += chunk.length
    const frames: WireFrame[] = []
    for (;;) {
      if (this.#length === null) {
        if (this.#bytes < PREFIX_BYTES) return frames
        this.#length = this.#joined().readUInt32BE(0)
        if (this.#length < FIXED_BYTES || this.#length > this.#maxBytes)
          throw new RangeError('No frame has this length.')
      }
      const end = PREFIX_BYTES + this.#length
      if (this.#bytes < end) return frames
      const all = this.#joined()
      frames.push(decode(all.subarray(PREFIX_BYTES, end)))
      this.#parts = all.length > end ? [all.subarray(end)] : []
      this.#bytes = all.length - end
      this.#length = null
    }
  }

  #joined(): Buffer {
    const [first] = this.#parts
    if (first !== undefined && this.#parts.length === 1) return first
    const all = Buffer.concat(this.#parts)
    this.#parts = [all]
    return all
  }
}

function decode(frame: Buffer): WireFrame {
  const headEnd = FIXED_BYTES + frame.readUInt16BE(5)
  if (headEnd > frame.length) throw new RangeError('The head of a frame is longer than the frame.')
  return {
    kind: frame.readUInt8(0),
    call: frame.readUInt32BE(1),
    head: frame.toString('latin1', FIXED_BYTES, headEnd),
    body: frame.subarray(headEnd),
  }
}
