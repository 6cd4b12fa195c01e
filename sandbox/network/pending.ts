/** Holds stanzas that a device has not confirmed yet, in order; they survive the device's connection. */
import type { Node } from '../wire/nodes.js'

export class PendingStanzas {
  readonly #entries = new Set<Node>()
  /** The stanza that the device refused for good: it stays, and all that follow wait. */
  #blocked: Node | undefined

  get size(): number {
    return this.#entries.size
  }

  /** True while a refused stanza withholds those that follow. */
  get isBlocked(): boolean {
    return this.#blocked !== undefined
  }

  add(stanza: Node): void {
    this.#entries.add(stanza)
  }

  has(stanza: Node): boolean {
    return this.#entries.has(stanza)
  }

  /** Stanzas that a login delivers: all, or only the refused one, which is the first. */
  all(): Node[] {
    return this.#blocked === undefined ? [...this.#entries] : [this.#blocked]
  }

  find(matches: (stanza: Node) => boolean): Node | undefined {
    for (const stanza of this.#entries) if (matches(stanza)) return stanza
    return undefined
  }

  /** A device confirmed a message of that chat: with a receipt that says it has it, or with an ack. */
  confirmMessage(id: string, isOfChat: (message: Node) => boolean): boolean {
    const found = this.find((stanza) => stanza.tag === 'message' && stanza.attrs.id === id && isOfChat(stanza))
    return found !== undefined && this.confirm(found)
  }

  /** Drops one entry only: a stanza that came twice is confirmed twice. */
  confirm(stanza: Node): boolean {
    if (stanza === this.#blocked) this.#blocked = undefined
    return this.#entries.delete(stanza)
  }

  block(stanza: Node): void {
    this.#blocked = stanza
  }

  clear(): void {
    this.#entries.clear()
    this.#blocked = undefined
  }
}
