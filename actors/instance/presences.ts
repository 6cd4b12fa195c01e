import type { Actor } from 'xstate'
import type { ChatAddress } from '../../schemas/jid.js'
import type { instanceMachine } from './machine.js'
import { findIndicator } from './presence.js'

/** The typing and recording indicators that one instance shows. Each is a child actor of its machine. */
export class Presences {
  readonly #machine: Actor<typeof instanceMachine>
  #hasShown = false

  constructor(machine: Actor<typeof instanceMachine>) {
    this.#machine = machine
  }

  /** Shows an indicator for `durationMs`, at most `presenceMaxMs`. Ends the one before. */
  start(chat: ChatAddress, kind: 'composing' | 'recording', durationMs: number): void {
    this.#hasShown = true
    this.#machine.send({ type: 'presence.start', chat, kind, durationMs })
  }

  /** Shows that nobody types. */
  pause(chat: ChatAddress): void {
    this.#machine.send({ type: 'presence.pause', chat })
  }

  /** Ends an indicator in silence. A message to the chat ends it on the other side. */
  cancel(chat: ChatAddress): void {
    // Each send cancels. Most chats have no indicator, and the machine need not hear of them.
    if (!this.#hasShown) return
    if (findIndicator(this.#machine.getSnapshot().children, chat) === undefined) return
    this.#machine.send({ type: 'presence.cancel', chat })
  }
}
