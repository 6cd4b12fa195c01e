import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { ParkReason } from '../../../schemas/pacing.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { namesOf } from './chat-set.js'

interface Parked {
  readonly chat: ChatAddress
  readonly position: number
  readonly untilMs: number
  readonly reason: ParkReason
}

/**
 * Queued sends that wait because their recipients never wrote, and those behind them in their chats. The queue looks only at the rows behind
 * `cursor`, so that however many are parked, others are found at once.
 */
export class ParkedSends {
  readonly #rows = new Map<MessageId, Parked>()
  /** Parked sends by each address of their chat: their number, and the reason of the first. */
  readonly #chats = new Map<string, { readonly count: number; readonly reason: ParkReason }>()
  /** Position up to which all queued sends are parked. */
  cursor = 0

  get size(): number {
    return this.#rows.size
  }

  /** Time until the first of them is worth another look, by `performance.now()`; infinite if there is none. */
  get nextAtMs(): number {
    let nextMs = Number.POSITIVE_INFINITY
    for (const { untilMs } of this.#rows.values()) nextMs = Math.min(nextMs, untilMs)
    return nextMs
  }

  has(chat: ChatAddress): boolean {
    return namesOf(chat).some((name) => this.#chats.has(name))
  }

  add({ messageid, chat, position }: MessageForActor, parkMs: number, reason: ParkReason): void {
    this.#remove(messageid)
    this.#rows.set(messageid, { chat, position, untilMs: performance.now() + parkMs, reason })
    for (const name of namesOf(chat)) {
      const known = this.#chats.get(name)
      this.#chats.set(name, { count: (known?.count ?? 0) + 1, reason: known?.reason ?? reason })
    }
  }

  /** Adds a send that stands behind a parked one in its chat. It waits as long as that. */
  addBehind(message: MessageForActor): void {
    if (this.#rows.has(message.messageid)) return
    const reasons = namesOf(message.chat).flatMap((name) => this.#chats.get(name)?.reason ?? [])
    this.add(message, Number.POSITIVE_INFINITY, reasons[0] ?? 'limit')
  }

  /** Lets the sends to a chat be looked at again. Returns true if there are any. */
  release(chat: ChatAddress): boolean {
    if (!this.has(chat)) return false
    const names = new Set<string>(namesOf(chat))
    for (const [messageid, row] of [...this.#rows]) {
      if (!namesOf(row.chat).some((name) => names.has(name))) continue
      this.#remove(messageid)
      this.lookFrom(row.position)
    }
    return true
  }

  /** Forgets a send that was canceled. Those behind it in its chat are looked at again. */
  forget(messageid: MessageId): void {
    const row = this.#rows.get(messageid)
    if (row !== undefined) this.release(row.chat)
  }

  /** Lets all be looked at again. */
  releaseAll(): void {
    this.#rows.clear()
    this.#chats.clear()
    this.cursor = 0
  }

  /** Lets the send at this position be looked at again. */
  lookFrom(position: number): void {
    this.cursor = Math.min(this.cursor, position - 1)
  }

  /** Returns the number of parked sends, by reason. */
  counts(): Partial<Record<ParkReason, number>> {
    const counts: Partial<Record<ParkReason, number>> = {}
    for (const { reason } of this.#rows.values()) counts[reason] = (counts[reason] ?? 0) + 1
    return counts
  }

  #remove(messageid: MessageId): void {
    const row = this.#rows.get(messageid)
    if (row === undefined) return
    this.#rows.delete(messageid)
    for (const name of namesOf(row.chat)) {
      const known = this.#chats.get(name)
      if (known === undefined || known.count <= 1) this.#chats.delete(name)
      else this.#chats.set(name, { ...known, count: known.count - 1 })
    }
  }
}
