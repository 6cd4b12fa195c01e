import type { ChatAddress } from '../../../schemas/jid.js'

/** A send whose delivery ends without a trace, because its row is written elsewhere. */
export class SendGivenUp extends Error {}

/** The right to write the row of a send: either its delivery takes it, or the caller's wait gives the delivery up. */
export class SendTicket {
  readonly #isOvertaking: (chat: ChatAddress) => boolean
  #state: 'open' | 'taken' | 'given up' = 'open'

  /** @param isOvertaking returns true if an earlier send to the chat was given up and has not left */
  constructor(isOvertaking: (chat: ChatAddress) => boolean) {
    this.#isOvertaking = isOvertaking
  }

  /** True once the delivery has written the row. */
  get isTaken(): boolean {
    return this.#state === 'taken'
  }

  /** @throws SendGivenUp if the delivery must not go on */
  check(chat: ChatAddress): void {
    if (this.#state === 'given up' || this.#isOvertaking(chat)) throw new SendGivenUp()
  }

  /** Called in the step that writes the row. @throws SendGivenUp if it must not be written */
  take(chat: ChatAddress): void {
    this.check(chat)
    this.#state = 'taken'
  }

  /** Returns false if the delivery has written the row. */
  giveUp(): boolean {
    if (this.isTaken) return false
    this.#state = 'given up'
    return true
  }
}
