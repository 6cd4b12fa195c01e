import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'

/** A set of chats, each found by any of its addresses. */
export class ChatSet {
  readonly all: ChatAddress[] = []
  readonly #names = new Set<Jid>()

  get size(): number {
    return this.all.length
  }

  add(chat: ChatAddress): void {
    this.all.push(chat)
    for (const name of listChatNames(chat)) this.#names.add(name)
  }

  has(chat: ChatAddress): boolean {
    return listChatNames(chat).some((name) => this.#names.has(name))
  }
}

/** Returns all addresses of a chat. */
export function listChatNames({ group, lid, pn }: ChatAddress): Jid[] {
  return [group, lid, pn].filter((name) => name !== undefined)
}
