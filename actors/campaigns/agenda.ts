import { type ActiveCampaign, NEW_CHAT_HOLDS, type WaitingRecipient, withOneMore } from '../../schemas/campaign.js'
import type { ParkedCounts, ParkReason } from '../../schemas/pacing.js'
import type { SendsContext } from '../instance/sends/context.js'

/** Recipients that are read at once. */
const PAGE = 50
/** Time after which the rows are read again. Only then are rows that others add, and new suppressions, seen. */
const FRESH_MS = 10_000

const REASONS: Readonly<Record<string, ParkReason>> = {
  new_chat_budget: 'budget',
  reachout_timelock: 'network_lock',
}

interface Entry {
  readonly campaign: ActiveCampaign
  /** By `performance.now()`. */
  dueAtMs: number
}

/** A campaign whose turn is next, the time until then, and the time since then. */
interface NextCampaign {
  readonly campaign: ActiveCampaign
  readonly waitMs: number
  readonly lateMs: number
}

interface TurnEnd {
  readonly nextInMs: number
  readonly outcome: 'taken' | 'failed' | 'skipped' | 'parked'
  /** True if the network has refused the message for now. */
  readonly isParked?: boolean
}

interface Page {
  readonly recipients: WaitingRecipient[]
  readonly readAtMs: number
}

/** The active campaigns of one instance and their next recipients, as this life of the actor has read them. */
export class Agenda {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'pacer'>
  readonly #shares = new TurnShares()
  #entries: Entry[] | null = null
  #pages = new Map<string, Page>()
  #cursors = new Map<string, number>()
  #readAtMs = 0
  #isFinishing = false
  /** Number of calls of `forget`. Rows that were read before the last call are outdated. */
  #forgotten = 0

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'pacer'>) {
    this.#context = context
  }

  /** True if a campaign waits only for answers of the network. */
  get isFinishing(): boolean {
    return this.#isFinishing
  }

  /** True if `load` would read nothing. */
  get isFresh(): boolean {
    return this.#entries !== null && performance.now() - this.#readAtMs < FRESH_MS
  }

  /** Forgets the rows, so that they are read again. */
  forget(): void {
    this.#forgotten += 1
    this.#entries = null
    this.#pages = new Map()
    this.#cursors = new Map()
    this.#isFinishing = false
  }

  /** Reads the campaigns, unless they were read a short time ago. */
  async load(): Promise<void> {
    if (this.isFresh) return
    const { id, reader, journal } = this.#context
    for (;;) {
      const forgotten = this.#forgotten
      await journal.settled()?.catch(() => {})
      const campaigns = await reader.activeCampaigns(id)
      if (forgotten !== this.#forgotten) continue
      const nowMs = performance.now()
      this.#readAtMs = nowMs
      this.#isFinishing = false
      this.#cursors = new Map(campaigns.map((one) => [one.id, one.lastOrdinal]))
      this.#pages = new Map()
      this.#entries = campaigns.map((campaign) => ({
        campaign,
        dueAtMs: nowMs + campaign.waitMs,
      }))
      this.#shares.keep(campaigns.map(({ id }) => id))
      return
    }
  }

  /** Returns a campaign that is being deleted. */
  deleting(): ActiveCampaign | undefined {
    return this.#entries?.find(({ campaign }) => campaign.status === 'deleting')?.campaign
  }

  /** Returns the campaign that is due and whose turn it is by the weights, or else the one that is due first. */
  next(isHalted: (id: string) => boolean = () => false): NextCampaign | null {
    const nowMs = performance.now()
    let best: Entry | null = null
    for (const entry of this.#entries ?? []) {
      if (entry.campaign.status === 'deleting' || isHalted(entry.campaign.id)) continue
      if (best === null || this.#isBefore(entry, best, nowMs)) best = entry
    }
    if (best === null) return null
    const { campaign, dueAtMs } = best
    return { campaign, waitMs: Math.max(0, dueAtMs - nowMs), lateMs: Math.max(0, nowMs - dueAtMs) }
  }

  /** Returns the next recipient of a campaign; null if nobody waits. */
  async recipient(campaign: ActiveCampaign): Promise<WaitingRecipient | null> {
    const { id, reader, journal, pacer } = this.#context
    const known = this.#pages.get(campaign.id)
    if (known !== undefined && known.recipients.length > 0 && performance.now() - known.readAtMs < FRESH_MS)
      return known.recipients[0] ?? null
    await journal.settled()?.catch(() => {})
    const after = this.#cursors.get(campaign.id) ?? campaign.lastOrdinal
    const withNew = (await pacer.newChatsHold('campaign')) === null
    const cap = campaign.frequencyCap
    const which = { withNew, cap, withWritten: await pacer.asksForNewChats('campaign') }
    const recipients = [...(await reader.nextRecipients(id, campaign.id, after, choosePageSize(campaign), which))]
    this.#pages.set(campaign.id, { recipients, readAtMs: performance.now() })
    return recipients[0] ?? null
  }

  /** True if recipients may be parked for whom a message of theirs changes something. */
  get hasParked(): boolean {
    return this.#entries === null || this.#entries.some(({ campaign }) => campaign.parked > 0)
  }

  /** Returns the campaigns that are held for people who never wrote. */
  heldForStrangers(): readonly ActiveCampaign[] {
    const campaigns = (this.#entries ?? []).map(({ campaign }) => campaign)
    return campaigns.filter(({ holdReason }) => NEW_CHAT_HOLDS.has(holdReason))
  }

  /** Returns the number of recipients who are parked because they never wrote, by reason. */
  parkedCounts(): ParkedCounts {
    const counts = { budget: 0, network_lock: 0, limit: 0 }
    for (const { holdReason, parked } of this.heldForStrangers()) counts[REASONS[holdReason] ?? 'limit'] += parked
    return counts
  }

  /** Notes that a campaign, or a part of it, is held for that reason. Empty: for none. */
  held({ id, parked }: ActiveCampaign, holdReason: string): void {
    this.#replace({ id }, { holdReason, parked: NEW_CHAT_HOLDS.has(holdReason) ? Math.max(1, parked) : parked })
  }

  /** Notes that the next recipients of a campaign are others. */
  readAgain({ id }: ActiveCampaign): void {
    this.#pages.delete(id)
  }

  /** Notes that a campaign has begun. */
  started(campaign: ActiveCampaign, ownAccount: string): void {
    this.#replace(campaign, { status: 'sending', ownAccount })
  }

  /** Notes that a recipient is done with. */
  served(
    { id }: ActiveCampaign,
    { ordinal, address, wasParked }: WaitingRecipient,
    { nextInMs, outcome, isParked = outcome === 'parked' }: TurnEnd,
  ): void {
    const page = this.#pages.get(id)
    if (page?.recipients[0]?.ordinal === ordinal) page.recipients.shift()
    if (isParked) this.#replace({ id }, { parked: Math.max(1, this.#findEntry(id)?.campaign.parked ?? 0) })
    // Further entries of this person stand behind it.
    if (isParked && page?.recipients.some((other) => other.address === address)) this.#pages.delete(id)
    if (!wasParked) this.#cursors.set(id, Math.max(this.#cursors.get(id) ?? -1, ordinal))
    const entry = this.#findEntry(id)
    if (entry === undefined) return
    this.#shares.served(entry.campaign)
    entry.dueAtMs = performance.now() + nextInMs
  }

  /** Counts a message of a campaign for its daily maximum, and for the frequency caps of all. */
  taken(campaign: ActiveCampaign, day: number, { address }: WaitingRecipient): void {
    this.#replace(campaign, withOneMore(day, campaign))
    for (const { campaign: other } of this.#entries ?? []) {
      if (other.frequencyCap === null) continue
      // The person may have got too many by now: what was read is outdated.
      if (this.#pages.get(other.id)?.recipients.some((one) => one.address === address)) this.#pages.delete(other.id)
    }
  }

  /** Notes that nothing of a campaign can leave for so long. */
  postpone({ id }: ActiveCampaign, forMs: number): void {
    const entry = this.#findEntry(id)
    if (entry !== undefined) entry.dueAtMs = performance.now() + forMs
  }

  /** Notes that a campaign waits for answers of the network. */
  finishing(campaign: ActiveCampaign, forMs: number): void {
    this.#isFinishing = true
    this.postpone(campaign, forMs)
  }

  #replace({ id }: Pick<ActiveCampaign, 'id'>, fields: Partial<ActiveCampaign>): void {
    this.#entries =
      this.#entries?.map((entry) =>
        entry.campaign.id === id ? { ...entry, campaign: { ...entry.campaign, ...fields } } : entry,
      ) ?? null
  }

  #isBefore(one: Entry, other: Entry, nowMs: number): boolean {
    const areDue = [one.dueAtMs <= nowMs, other.dueAtMs <= nowMs]
    if (areDue[0] && areDue[1]) return this.#shares.isBefore(one.campaign.id, other.campaign.id)
    return one.dueAtMs < other.dueAtMs
  }

  #findEntry(id: string): Entry | undefined {
    return this.#entries?.find(({ campaign }) => campaign.id === id)
  }
}

/** A slow campaign needs one recipient for each turn. */
function choosePageSize({ delayMaxMs }: ActiveCampaign): number {
  return delayMaxMs > FRESH_MS / PAGE ? Math.max(1, Math.floor(FRESH_MS / delayMaxMs)) : PAGE
}

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
    const [first, second] = [this.#findStart(one), this.#findStart(other)]
    if (first !== second) return first < second
    return (this.#shares.get(one) ?? UNSERVED).turn < (this.#shares.get(other) ?? UNSERVED).turn
  }

  /** Notes that a campaign had a turn. */
  served({ id, weight }: Pick<ActiveCampaign, 'id' | 'weight'>): void {
    this.#clock = this.#findStart(id)
    this.#turns += 1
    this.#shares.set(id, { nextAt: this.#clock + 1 / weight, turn: this.#turns })
  }

  /** Forgets all but these campaigns. */
  keep(ids: readonly string[]): void {
    for (const known of [...this.#shares.keys()]) if (!ids.includes(known)) this.#shares.delete(known)
  }

  #findStart(id: string): number {
    return Math.max(this.#clock, (this.#shares.get(id) ?? UNSERVED).nextAt)
  }
}
