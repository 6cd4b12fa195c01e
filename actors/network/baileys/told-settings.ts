import type { ChatAddress } from '../../../schemas/jid.js'
import type { ChatFields } from '../../instance/ports.js'
import type { ChatChange } from '../port.js'

/**
 * Which settings of chats the account's devices have told on this connection. A part of the history holds a chat as it was when the part
 * was made, and parts come for minutes: what was told as a change is newer, whichever of them is read first.
 */
export class ToldSettings {
  /** A field and a JID each. */
  readonly #told = new Set<string>()

  note(changes: readonly ChatChange[]): void {
    for (const { chat, set } of changes)
      for (const field of Object.keys(set)) for (const jid of jidsOf(chat)) this.#told.add(`${field} ${jid}`)
  }

  /** Chats of the history without what is known better. */
  without(chats: readonly ChatChange[]): readonly ChatChange[] {
    if (this.#told.size === 0) return chats
    return chats.map((change) => {
      const jids = jidsOf(change.chat)
      const kept = Object.entries(change.set).filter(
        ([field]) => !jids.some((jid) => this.#told.has(`${field} ${jid}`)),
      )
      return { ...change, set: Object.fromEntries(kept) as ChatFields }
    })
  }
}

function jidsOf({ pn, lid, group }: ChatAddress): string[] {
  return [pn, lid, group].filter((jid) => jid !== undefined)
}
