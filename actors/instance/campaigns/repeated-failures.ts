import type { ActiveCampaign, WaitingRecipient } from '../../../schemas/campaign.js'
import { isStoreTrouble } from '../../../schemas/store-trouble.js'

/** Turns of one recipient that fail in a row before the recipient is given up. */
const TRIES_MAX = 6

/**
 * Counts failed turns of the recipient whose turn it is in each campaign, so that one whose message can never be composed does not stop
 * its campaign. Failures of the stores do not count: they say nothing about the recipient.
 */
export class RepeatedFailures {
  readonly #last = new Map<string, { readonly ordinal: number; readonly tries: number }>()

  /** Counts a failure. Returns true if the recipient is to be given up. */
  note({ id }: Pick<ActiveCampaign, 'id'>, { ordinal }: Pick<WaitingRecipient, 'ordinal'>, error: unknown): boolean {
    if (isStoreTrouble(error)) return false
    const last = this.#last.get(id)
    const tries = last?.ordinal === ordinal ? last.tries + 1 : 1
    if (tries < TRIES_MAX) this.#last.set(id, { ordinal, tries })
    else this.#last.delete(id)
    return tries >= TRIES_MAX
  }

  /** Resets the count of a campaign. */
  forget(campaign: string): void {
    this.#last.delete(campaign)
  }
}
