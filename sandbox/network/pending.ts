/** What a device has not confirmed yet, in order; it survives the device's connection. */
import type { Node } from '../wire/nodes.js'

export class PendingStanzas {
  readonly #entries = new Map<number, Node>()
  #next = 0

  get size(): number {
    return this.#entries.size
  }

  add(stanza: Node): void {
    this.#entries.set(this.#next++, stanza)
  }

  all(): Node[] {
    return [...this.#entries.values()]
  }

  /** A device confirmed a message of that chat: with a receipt that says it has it, or with an ack. */
  confirmMessage(id: string, isOfChat: (message: Node) => boolean): boolean {
    return this.#drop((stanza) => stanza.tag === 'message' && stanza.attrs.id === id && isOfChat(stanza))
  }

  /** A device acknowledged a receipt, notification or call with the attributes it came with. */
  confirmOther(ack: Node): boolean {
    const { id, type, participant } = ack.attrs
    return this.#drop(
      ({ tag, attrs }) =>
        tag === ack.attrs.class &&
        attrs.id === id &&
        attrs.from === ack.attrs.to &&
        attrs.type === type &&
        attrs.participant === participant,
    )
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Drops the oldest match only: a stanza that came twice is confirmed twice. */
  #drop(matches: (stanza: Node) => boolean): boolean {
    for (const [sequence, stanza] of this.#entries) {
      if (matches(stanza)) {
        this.#entries.delete(sequence)
        return true
      }
    }
    return false
  }
}
