import { type LostCall, notSent } from './answer.js'
import type { Exchange } from './wire.js'

/** Stops whichever exchange of a call is under way. */
export class Abortion {
  #exchange: Exchange | undefined
  #settle: (() => void) | undefined

  /** Resolves when the call is aborted before anything was sent. */
  happened(): Promise<LostCall> {
    return new Promise((resolve) => {
      this.#settle = () => resolve(notSent('aborted'))
    })
  }

  follow(exchange: Exchange): void {
    this.#exchange = exchange
  }

  abort(): void {
    this.#settle?.()
    this.#exchange?.abort()
  }
}
