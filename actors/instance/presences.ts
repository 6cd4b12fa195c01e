import type { Actor } from 'xstate'
import { type ChatAddress, chatIdOf } from '../../schemas/jid.js'
import type { instanceMachine } from './machine.js'

/** The typing and recording indicators that one instance shows. Each is a child actor of its machine. */
export class Presences {
  readonly #machine: Actor<typeof instanceMachine>

  constructor(machine: Actor<typeof instanceMachine>) {
    this.#machine = machine
  }

  /** Shows an indicator for `durationMs`, at most `presenceMaxMs`. Ends the one before. */
  start(chat: ChatAddress, kind: 'composing' | 'recording', durationMs: number): void {
    this.#machine.send({ type: 'presence.start', chat, kind, durationMs })
  }

  /** Shows that nobody types. */
  pause(chat: ChatAddress): void {
    this.#machine.send({ type: 'presence.pause', chat })
  }

  /** Ends an indicator in silence. A message to the chat ends it on the other side. */
  cancel(chat: ChatAddress): void {
    // Each send cancels. Most chats have no indicator, and the machine need not hear of them.
    if (indicatorOf(this.#machine.getSnapshot().children, chat) === undefined) return
    this.#machine.send({ type: 'presence.cancel', chat })
  }
}

const PREFIX = 'presence:'

/** Names the actor that shows the indicator of a chat. */
export function indicatorFor(chat: ChatAddress): string {
  return PREFIX + chatIdOf(chat)
}

/** Returns the name of the actor that shows an indicator in this chat, under whichever of its addresses it was started. */
export function indicatorOf(children: object, { group, pn, lid }: ChatAddress): string | undefined {
  for (const jid of [group, pn, lid]) if (jid !== undefined && PREFIX + jid in children) return PREFIX + jid
  return undefined
}
