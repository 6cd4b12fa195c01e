import type { ActiveCampaign } from '../../schemas/campaign.js'

/** Number of latest outcomes from which the share is computed. */
const LAST = 50
/** Minimum number of outcomes. With fewer the share is never too high. */
const LAST_MIN = 20

type Counted = Pick<ActiveCampaign, 'id' | 'recent'>

/** The share of messages of each campaign that the network has refused of late. It goes on from the stored answers. */
export class ErrorRate {
  readonly #outcomes = new Map<string, boolean[]>()

  note(campaign: Counted, isRefused: boolean): void {
    const outcomes = this.#of(campaign)
    outcomes.push(isRefused)
    if (outcomes.length > LAST) outcomes.shift()
    this.#outcomes.set(campaign.id, outcomes)
  }

  isTooHigh(campaign: Counted & Pick<ActiveCampaign, 'errorRateMax'>): boolean {
    const outcomes = this.#of(campaign)
    const refusedMax = (outcomes.length * campaign.errorRateMax) / 100
    return outcomes.length >= LAST_MIN && outcomes.filter(Boolean).length > refusedMax
  }

  /** Resets the count of a campaign. */
  forget(campaign: string): void {
    this.#outcomes.set(campaign, [])
  }

  #of({ id, recent }: Counted): boolean[] {
    return this.#outcomes.get(id) ?? [...recent.slice(-LAST)].map((answer) => answer === '1')
  }
}
