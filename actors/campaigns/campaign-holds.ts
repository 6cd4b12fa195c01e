import { errorText } from '../../lib/error-text.js'
import { type ActiveCampaign, NEW_CHAT_HOLDS, type RecipientHold } from '../../schemas/campaign.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { NewChatHold } from '../../schemas/pacing.js'
import { pause } from '../instance/pause.js'
import { listChatNames } from '../instance/sends/chat-set.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { Agenda } from './agenda.js'
import type { ProgressEvents } from './progress-events.js'

export interface HoldsParts {
  readonly agenda: Agenda
  readonly events: Pick<ProgressEvents, 'tell'>
  /** Returns true if a call is about to change the campaign. */
  readonly isHalted: (id: string) => boolean
  /** Looks at the stored campaigns again. */
  readonly begin: () => void
}

/** Minimum time between two looks at a campaign all of whose recipients are parked. */
const PARKED_MIN_MS = 1_000
/** Minimum time between two writes for people who wrote. */
const HEARD_EVERY_MS = 1_000

/** Stores why campaigns wait although they are not paused, and lets them go on. Each change is followed by an event `sender`. */
export class CampaignHolds {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger' | 'pacer'>
  readonly #parts: HoldsParts
  /** Addresses of people who wrote. */
  #heard = new Set<string>()
  #isReleasing = false
  /** Number of writes for people who wrote. */
  #released = 0

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger' | 'pacer'>, parts: HoldsParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Lets the whole campaign wait. */
  async wait(campaign: ActiveCampaign, reason: RecipientHold, forMs: number): Promise<void> {
    const { agenda, isHalted } = this.#parts
    agenda.postpone(campaign, forMs)
    if (isHalted(campaign.id)) return
    await this.#context.journal.write([{ type: 'campaign.wait', folderId: campaign.id, forMs, reason }])
    await this.#note(campaign, reason)
  }

  /** Ends the wait of a campaign that sends again. A hold of people who never wrote lasts longer. */
  async endWait(campaign: ActiveCampaign): Promise<void> {
    if (campaign.holdReason !== '' && !NEW_CHAT_HOLDS.has(campaign.holdReason)) await this.#release(campaign)
  }

  /** Handles that people who never wrote were parked. The campaign goes on with the others. */
  async strangersParked(campaign: ActiveCampaign, { reason }: NewChatHold, nextInMs: number): Promise<void> {
    const { agenda } = this.#parts
    agenda.readAgain(campaign)
    if (nextInMs > 0) agenda.postpone(campaign, nextInMs)
    await this.#note(campaign, reason)
  }

  /** Waits until the first parked recipient is worth another look. Nobody else is left. */
  async waitForParked(campaign: ActiveCampaign): Promise<void> {
    const { reader, id, pacer } = this.#context
    const released = this.#released
    const first = await reader.firstParked(id, campaign.id)
    if (first === null) return this.#parts.agenda.forget()
    const hold = await pacer.newChatsHold('campaign')
    const isOfHold = hold !== null && (first.inMs === null || hold.ms <= first.inMs)
    // Somebody wrote meanwhile, and is due: a wait by what was read before would outlast that.
    if (released !== this.#released) return this.#parts.agenda.forget()
    const forMs = Math.max(PARKED_MIN_MS, (isOfHold ? hold.ms : first.inMs) ?? 0)
    await this.wait(campaign, isOfHold ? hold.reason : (first.reason as RecipientHold), forMs)
  }

  /** Lets campaigns that were held for people who never wrote go on, if the account may write to them again. */
  async releaseStrangers(): Promise<void> {
    const { agenda } = this.#parts
    const { pacer } = this.#context
    pacer.noteParked('campaign', agenda.parkedCounts())
    const held = agenda.heldForStrangers()
    if (held.length === 0 || (await pacer.newChatsHold('campaign')) !== null) return
    for (const campaign of held) await this.#release(campaign)
    // Their next messages may leave earlier.
    agenda.forget()
    await agenda.load()
  }

  /** Lets messages leave that are parked for a person who wrote, those of many people in one write. */
  heard(chat: ChatAddress): void {
    for (const name of listChatNames(chat)) this.#heard.add(name)
    if (this.#isReleasing) return
    this.#isReleasing = true
    this.#releaseHeard()
      .catch((error: unknown) =>
        this.#context.logger.debug({ error: errorText(error) }, 'Parked messages to people who wrote wait.'),
      )
      .finally(() => {
        this.#isReleasing = false
      })
  }

  async #releaseHeard(): Promise<void> {
    while (this.#heard.size > 0) {
      const addresses = [...this.#heard]
      this.#heard = new Set()
      this.#released += 1
      await this.#context.journal.write([{ type: 'campaign.heard', addresses }])
      this.#parts.begin()
      await pause(HEARD_EVERY_MS)
    }
  }

  async #release(campaign: ActiveCampaign): Promise<void> {
    if (this.#parts.isHalted(campaign.id)) return
    await this.#context.journal.write([{ type: 'campaign.release', folderId: campaign.id }])
    await this.#note(campaign, '')
  }

  async #note(campaign: ActiveCampaign, reason: string): Promise<void> {
    const { agenda, events } = this.#parts
    agenda.held(campaign, reason)
    if (campaign.holdReason !== reason) await events.tell(campaign.id)
  }
}
