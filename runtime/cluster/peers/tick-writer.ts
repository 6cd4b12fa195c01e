import type { Writable } from 'node:stream'

/** Writes frames to a socket. Those of one turn of the event loop leave together: a write to the kernel costs both sides more than a frame. */
export class TickWriter {
  readonly #socket: Writable
  #isCorked = false

  constructor(socket: Writable) {
    this.#socket = socket
  }

  write(frame: Uint8Array): void {
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#socket.cork()
      // Behind all that the sockets of this turn have brought.
      setImmediate(() => {
        this.#isCorked = false
        this.#socket.uncork()
      })
    }
    this.#socket.write(frame)
  }
}
