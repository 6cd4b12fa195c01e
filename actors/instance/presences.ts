import { type Actor, createActor } from 'xstate'
import { type ChatAddress, chatIdOf } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import { presenceMachine } from './presence.js'

export interface PresencesOptions {
  /** Time after which an indicator is shown again, because the network forgets it. */
  readonly refreshMs: number
  readonly maxMs: number
  /** Shows it over the present connection. Never throws. */
  readonly show: (chat: ChatAddress, kind: PresenceKind) => void
}

/** The typing and recording indicators that one instance shows, one actor for each chat. */
export class Presences {
  readonly #options: PresencesOptions
  readonly #actors = new Map<string, Actor<typeof presenceMachine>>()

  constructor(options: PresencesOptions) {
    this.#options = options
  }

  /** Shows an indicator for `durationMs`, at most `maxMs`. Ends the one before. */
  start(chat: ChatAddress, kind: 'composing' | 'recording', durationMs: number): void {
    this.#actorOf(chat)?.stop()
    const name = chatIdOf(chat)
    const { refreshMs, maxMs, show } = this.#options
    const actor = createActor(presenceMachine, {
      input: { kind, durationMs: Math.min(durationMs, maxMs), refreshMs, show: (shown) => show(chat, shown) },
    })
    this.#actors.set(name, actor)
    actor.subscribe({
      complete: () => {
        if (this.#actors.get(name) === actor) this.#actors.delete(name)
      },
      error: () => this.#actors.delete(name),
    })
    actor.start()
  }

  /** Shows that nobody types any more. */
  pause(chat: ChatAddress): void {
    const actor = this.#actorOf(chat)
    if (actor === undefined) this.#options.show(chat, 'paused')
    else actor.send({ type: 'pause' })
  }

  /** Ends an indicator in silence. A message to the chat ends it on the other side. */
  cancel(chat: ChatAddress): void {
    this.#actorOf(chat)?.send({ type: 'cancel' })
  }

  stopAll(): void {
    for (const actor of this.#actors.values()) actor.stop()
    this.#actors.clear()
  }

  /** Finds an indicator that was started under the other address of the chat, too. */
  #actorOf({ group, pn, lid }: ChatAddress): Actor<typeof presenceMachine> | undefined {
    const name = [group, pn, lid].find((jid) => jid !== undefined && this.#actors.has(jid))
    return name === undefined ? undefined : this.#actors.get(name)
  }
}
