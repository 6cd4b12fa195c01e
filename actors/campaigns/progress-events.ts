import { errorText } from '../../lib/error-text.js'
import type { ActiveCampaign, PauseReason } from '../../schemas/campaign.js'
import { campaignEvent } from '../../schemas/campaign-records.js'
import type { SendsContext } from '../instance/sends/context.js'

/** Minimum time between two events of a campaign that runs, and the time after which one is due in any case. */
const EVERY_MIN_MS = 5_000
const EVERY_MAX_MS = 60_000

interface Told {
  readonly atMs: number
  readonly turns: number
}

/** Emits the event `sender`: with each change of the state of a campaign, and now and then while it runs. */
export class ProgressEvents {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger'>
  readonly #told = new Map<string, Told>()

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger'>) {
    this.#context = context
  }

  /** Emits the present state of a campaign, with all its counters. */
  async tell(folderId: string): Promise<void> {
    const { id, reader, journal } = this.#context
    this.#told.set(folderId, { atMs: performance.now(), turns: 0 })
    await journal.settled()?.catch(() => {})
    const campaign = await reader.campaign(id, folderId)
    if (campaign === null) return
    if (campaign.status === 'done') this.#told.delete(folderId)
    await journal.write([{ type: 'event', kind: 'sender', body: campaignEvent(campaign) }])
  }

  /** Emits the progress of a campaign that has just served one more, unless it did so a short time or a few recipients ago. */
  tellSoon({ id, total }: ActiveCampaign): void {
    const known = this.#told.get(id) ?? { atMs: Number.NEGATIVE_INFINITY, turns: 0 }
    const told = { ...known, turns: known.turns + 1 }
    this.#told.set(id, told)
    const agoMs = performance.now() - told.atMs
    if (agoMs < EVERY_MIN_MS || (agoMs < EVERY_MAX_MS && told.turns < total / 100)) return
    this.tell(id).catch((error: unknown) =>
      this.#context.logger.debug({ error: errorText(error) }, 'The progress of a campaign was not reported.'),
    )
  }

  /** Emits the state of each campaign that is paused for this reason. */
  async tellPaused(reason: PauseReason): Promise<void> {
    const { id, reader, journal } = this.#context
    const campaigns = await reader.campaigns(id)
    const paused = campaigns.filter((one) => one.status === 'paused' && one.reason === reason)
    if (paused.length === 0) return
    await journal.write(paused.map((one) => ({ type: 'event', kind: 'sender', body: campaignEvent(one) }) as const))
  }
}
