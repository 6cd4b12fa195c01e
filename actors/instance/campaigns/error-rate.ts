/** Number of latest outcomes from which the share is computed. */
const LAST = 50
/** Minimum number of outcomes. With fewer the share is never too high. */
const LAST_MIN = 20
const SHARE_MAX = 0.2

/** The share of messages of each campaign that the network has refused of late. */
export class ErrorRate {
  readonly #outcomes = new Map<string, boolean[]>()

  note(campaign: string, isRefused: boolean): void {
    const outcomes = this.#outcomes.get(campaign) ?? []
    outcomes.push(isRefused)
    if (outcomes.length > LAST) outcomes.shift()
    this.#outcomes.set(campaign, outcomes)
  }

  isTooHigh(campaign: string): boolean {
    const outcomes = this.#outcomes.get(campaign) ?? []
    return outcomes.length >= LAST_MIN && outcomes.filter(Boolean).length > outcomes.length * SHARE_MAX
  }

  /** Resets the count of a campaign. */
  forget(campaign: string): void {
    this.#outcomes.delete(campaign)
  }
}
