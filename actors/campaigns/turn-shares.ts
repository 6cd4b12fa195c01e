import type { ActiveCampaign } from '../../schemas/campaign.js'

interface Share {
  /** Time from which its next turn counts, on a clock that passes with the turns. */
  nextAt: number
  /** Number of its last turn. */
  turn: number
}

const UNSERVED: Share = { nextAt: 0, turn: 0 }

/** Shares turns among campaigns by their weights, and among those of equal weight in turns. One that was not due for a while catches up nothing. */
export class TurnShares {
  readonly #shares = new Map<string, Share>()
  #clock = 0
  #turns = 0

  /** Returns true if it is the turn of the first campaign before the second one. */
  isBefore(one: string, other: string): boolean {
    const [first, second] = [this.#startOf(one), this.#startOf(other)]
    if (first !== second) return first < second
    return (this.#shares.get(one) ?? UNSERVED).turn < (this.#shares.get(other) ?? UNSERVED).turn
  }

  /** Notes that a campaign had a turn. */
  served({ id, weight }: Pick<ActiveCampaign, 'id' | 'weight'>): void {
    this.#clock = this.#startOf(id)
    this.#turns += 1
    this.#shares.set(id, { nextAt: this.#clock + 1 / weight, turn: this.#turns })
  }

  /** Forgets all but these campaigns. */
  keep(ids: readonly string[]): void {
    for (const known of [...this.#shares.keys()]) if (!ids.includes(known)) this.#shares.delete(known)
  }

  #startOf(id: string): number {
    return Math.max(this.#clock, (this.#shares.get(id) ?? UNSERVED).nextAt)
  }
}
