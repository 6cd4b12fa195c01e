import { tooLarge } from './json-body.js'

/** One buffer that grows. A buffer for each of many short texts would take a hundred times their bytes. */
export class GrowingBuffer {
  readonly #bytesMax: number
  #buffer: Buffer
  #bytes = 0

  constructor(startBytes: number, bytesMax: number) {
    this.#buffer = Buffer.allocUnsafe(startBytes)
    this.#bytesMax = bytesMax
  }

  /** @throws GatewayError BODY_TOO_LARGE */
  append(bytes: Buffer): void {
    const length = this.#bytes + bytes.length
    if (length > this.#bytesMax) throw tooLarge(this.#bytesMax)
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length))
      this.#buffer.copy(larger, 0, 0, this.#bytes)
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#bytes)
    this.#bytes = length
  }

  content(): Buffer {
    return this.#buffer.subarray(0, this.#bytes)
  }
}
