import type { PacedKind } from '../../../schemas/pacing.js'

const RANK: Readonly<Record<PacedKind, number>> = { async: 0, scheduled: 1, campaign: 2 }
/** Number of turns after which the lowest kind that waits has the next one. */
const TURNS_MAX = 9
/** Time after its turn for which a kind that waited is still expected. */
const GRACE_MS = 2_000

/** Slots of the kinds of paced sends at the rate of an instance: ordinary sends first, but every tenth turn is of the lowest that waits. */
export class Slots {
  /** Times until which a kind that waits for its turn is expected. */
  readonly #expected = new Map<PacedKind, number>()
  /** Slots in a row for which a lower kind has waited. */
  #passed = 0

  /** Notes that a kind waits for that time. */
  waits(kind: PacedKind, waitMs: number, nowMs: number): void {
    this.#expected.set(kind, nowMs + waitMs + GRACE_MS)
  }

  /** Returns true if the turn belongs to another kind that waits. */
  isOfOther(kind: PacedKind, nowMs: number): boolean {
    const others = [...this.#expected].filter(([other, untilMs]) => other !== kind && untilMs > nowMs)
    const lower = others.some(([other]) => RANK[other] > RANK[kind])
    if (this.#passed >= TURNS_MAX) return lower
    return others.some(([other]) => RANK[other] < RANK[kind])
  }

  /** Notes that a send of this kind leaves. */
  took(kind: PacedKind, nowMs: number): void {
    this.#expected.delete(kind)
    const isLowerWaiting = [...this.#expected].some(([other, untilMs]) => RANK[other] > RANK[kind] && untilMs > nowMs)
    this.#passed = isLowerWaiting ? this.#passed + 1 : 0
  }

  /** Notes that a kind has nothing to send. */
  leaves(kind: PacedKind): void {
    this.#expected.delete(kind)
  }
}
