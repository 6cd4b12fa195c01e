import { backOffMs } from '../../lib/back-off.js'
import { errorText } from '../../lib/error-text.js'
import { withTimeLimit } from '../../lib/time-limit.js'
import {
  type ActiveCampaign,
  type CampaignRow,
  type CampaignStatus,
  isEnded,
  type PauseReason,
} from '../../schemas/campaign.js'
import { GatewayError } from '../../schemas/errors.js'
import { type ChatAddress, toChatId } from '../../schemas/jid.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { Feature } from '../instance/feature.js'
import type { Change } from '../instance/ports.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { SendQueue } from '../instance/sends/send-queue.js'
import type { SendsForFeatures } from '../instance/sends/sends.js'
import type { DisconnectCause } from '../network/port/events.js'
import { Agenda } from './agenda.js'
import type { BrakedSteps, CampaignBrake } from './brake.js'
import { CampaignHolds } from './campaign-holds.js'
import { CampaignStep } from './campaign-step.js'
import { NumberChecks } from './number-checks.js'
import { assertSameAccount, isOwn } from './own-account.js'
import { ProgressEvents } from './progress-events.js'
import { RefusedMessages } from './refused-messages.js'
import { Replies } from './replies.js'

export interface CampaignsParts {
  readonly sends: SendsForFeatures
  /** Slows down the campaigns of all instances of the node together, so that it stays responsive. */
  readonly brake: CampaignBrake
}

/** Maximum time that a call waits for the send that is under way. */
const DRAIN_MAX_MS = 5_000
/** Time after which a campaign looks again whether the sends that go before it have left. */
const BUSY_MS = 1_000
/** The same for answers of the network to its last messages, unless one arrives before. */
const UNANSWERED_MS = 10_000
/** Time until a run that failed is repeated, doubled each time. */
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 15_000

const PAUSE_REASONS: Partial<Readonly<Record<DisconnectCause, PauseReason>>> = {
  loggedOut: 'logged_out',
  multideviceMismatch: 'logged_out',
  forbidden: 'banned',
}

/**
 * The campaigns of one instance. A run sends one message after the other, each of the campaign that was served least recently among those
 * that are due, and ends when nothing is due: no timer runs in it. All that decides what is sent is stored in the write of each send, so that
 * another owner goes on exactly there.
 */
export class Campaigns implements Feature {
  readonly refusals: RefusedMessages
  awaitsAnswers = false
  readonly #replies: Replies
  readonly #context: SendsContext
  readonly #agenda: Agenda
  readonly #turn: CampaignStep
  readonly #events: ProgressEvents
  readonly #holds: CampaignHolds
  readonly #share: QueueShare
  readonly #nodeTurns: BrakedSteps
  /** Campaigns that a call is about to change. They begin nothing. */
  readonly #halted = new Set<string>()
  /** Number of times that campaigns were halted. A turn that began before a halt sends nothing after it. */
  readonly #halts = new Map<string, number>()
  #commands: Promise<unknown> = Promise.resolve()
  #isRunning = false
  #isRunWanted = false
  #isStopped = false
  /** Runs that have failed since a recipient was served. */
  #failures = 0
  #sending: Promise<unknown> = Promise.resolve()

  constructor(context: SendsContext, { sends, brake }: CampaignsParts) {
    this.#context = context
    this.refusals = new RefusedMessages(context, sends.relays, sends.known)
    this.#agenda = new Agenda(context)
    this.#events = new ProgressEvents(context)
    this.#share = new QueueShare(sends.queue, () => void this.run())
    this.#nodeTurns = brake.createSteps(() => void this.run())
    const [agenda, events] = [this.#agenda, this.#events]
    const isHalted = (id: string): boolean => this.#halted.has(id)
    this.#holds = new CampaignHolds(context, { agenda, events, isHalted, begin: () => this.begin() })
    this.#replies = new Replies(context)
    const checks = new NumberChecks(context, () => this.begin())
    this.#turn = new CampaignStep(context, {
      ...sends,
      refused: this.refusals,
      checks,
      watchHalts: (id) => this.#watchHalts(id),
    })
  }

  /** Handles a new connection: the stored state counts. */
  opened(): void {
    this.#replies.opened()
    this.#agenda.forget()
  }

  queueWasFirst(): void {
    void this.run()
  }

  runDue(): void {
    void this.run()
  }

  listChanges(message: NewMessage): readonly Change[] {
    return this.#replies.listChanges(message)
  }

  /** Handles the network's answer to a message. */
  acknowledged(): void {
    this.awaitsAnswers = false
    if (!this.#agenda.isFinishing) return
    this.#agenda.forget()
    void this.run()
  }

  stop(): void {
    this.#isStopped = true
    this.#nodeTurns.leave()
  }

  /** Handles that a person wrote: messages to them that are parked may leave. */
  heard(chat: ChatAddress): void {
    if (!this.#isStopped && this.#agenda.hasParked) this.#holds.heard(chat)
  }

  /** Sends what is due, one message after the other, and asks to be called for the next. May be called at any time. Never rejects. */
  async run(): Promise<void> {
    this.#isRunWanted = true
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#isRunWanted && !this.#isStopped) {
        this.#isRunWanted = false
        await this.#runOnce()
      }
    } catch (error) {
      this.#agenda.forget()
      this.#context.logger.debug({ error: errorText(error) }, 'The campaigns of an instance wait.')
      // The connection may live on, or the next one may have opened meanwhile: then nobody else calls before the next sweep.
      if (!this.#isStopped) this.#context.wakeDueIn(backOffMs(this.#failures, RETRY_MIN_MS, RETRY_MAX_MS))
      this.#failures += 1
    } finally {
      this.#isRunning = false
    }
  }

  /** Looks at the stored campaigns again, because one was added. */
  begin(): void {
    this.#agenda.forget()
    void this.run()
  }

  /** Pauses a campaign. Once it is answered, nothing more of it begins. @throws GatewayError CAMPAIGN_NOT_FOUND, CAMPAIGN_ENDED */
  pause(id: string): Promise<CampaignStatus> {
    return this.#change<CampaignStatus>(id, async (campaign) => {
      if (isEnded(campaign.status)) throw ended(campaign.status)
      if (campaign.status !== 'paused')
        await this.#move(campaign, { from: ['scheduled', 'sending'], to: 'paused', reason: 'asked' })
      return 'paused'
    })
  }

  /**
   * Resumes a campaign that is paused.
   * @throws GatewayError CAMPAIGN_NOT_FOUND, CAMPAIGN_ENDED, CAMPAIGN_OTHER_ACCOUNT, INSTANCE_NOT_CONNECTED
   */
  resume(id: string): Promise<CampaignStatus> {
    return this.#change<CampaignStatus>(id, async (campaign) => {
      if (isEnded(campaign.status)) throw ended(campaign.status)
      if (campaign.status !== 'paused') return campaign.status
      await assertSameAccount(this.#context, campaign)
      this.#turn.forgetErrors(id)
      await this.#context.journal.write([{ type: 'campaign.release', folderId: id, forgets: true }])
      await this.#move(campaign, { from: ['paused'], to: 'scheduled' })
      return 'scheduled'
    })
  }

  /** Deletes the recipients of a campaign to whom nothing was sent. @throws GatewayError CAMPAIGN_NOT_FOUND, CAMPAIGN_ENDED */
  remove(id: string): Promise<CampaignStatus> {
    return this.#change<CampaignStatus>(id, async (campaign) => {
      if (campaign.status === 'done') throw ended(campaign.status)
      if (campaign.status !== 'deleting')
        await this.#move(campaign, { from: ['scheduled', 'sending', 'paused'], to: 'deleting' })
      return 'deleting'
    })
  }

  /**
   * Changes the maximum of messages in a day. One that waited for the next day goes on.
   * @throws GatewayError CAMPAIGN_NOT_FOUND, CAMPAIGN_ENDED
   */
  cap(id: string, dailyCap: number | null, timezone?: string): Promise<CampaignStatus> {
    return this.#change<CampaignStatus>(id, async ({ status }) => {
      if (isEnded(status)) throw ended(status)
      const zone = timezone === undefined ? {} : { timezone }
      await this.#context.journal.write([{ type: 'campaign.cap', folderId: id, dailyCap, ...zone }])
      await this.#events.tell(id)
      return status
    })
  }

  /** Deletes campaigns with all their recipients: those that ended so long ago, or all; or only one of them. Messages stay in their chats. */
  clear(endedForMs: number | null, only?: string): Promise<{ readonly folders: number; readonly recipients: number }> {
    return this.#inOrder(async () => {
      const { reader, id, journal } = this.#context
      const nowMs = await reader.timeMs()
      const all = await reader.campaigns(id)
      const chosen = all.filter(({ id: folderId, status, ended }) => {
        if (only !== undefined && folderId !== only) return false
        if (endedForMs === null) return true
        return status === 'done' && ended !== null && ended.getTime() <= nowMs - endedForMs
      })
      await this.#whileHalted(
        chosen.map((one) => one.id),
        async () => {
          const from = ['scheduled', 'sending', 'paused', 'done', 'deleting'] as const
          const changes = chosen.map(
            (one): Change => ({ type: 'campaign.status', folderId: one.id, from, to: 'deleting', clears: true }),
          )
          if (changes.length > 0) await journal.write(changes)
        },
      )
      const recipients = chosen.reduce((sum, { total, deleted }) => sum + total - deleted, 0)
      return { folders: chosen.length, recipients }
    })
  }

  /** Writes that the account is gone. Must be called in the step in which the end of its connection is written. */
  accountEnded(cause: DisconnectCause): void {
    const reason = PAUSE_REASONS[cause]
    if (reason === undefined) return
    this.#agenda.forget()
    const paused = this.#context.journal.write([{ type: 'campaign.pauseAll', reason }])
    paused.then(() => this.#events.tellPaused(reason)).catch((error: unknown) => this.#note(error))
  }

  async #runOnce(): Promise<void> {
    // Reading the rows and serving a recipient are one turn of the node. If the node is busy, the brake runs this again later.
    const reads = !this.#agenda.isFresh
    if (reads && !this.#nodeTurns.takes()) return
    const hasTurn = (): boolean => reads || this.#nodeTurns.takes()
    await this.#agenda.load()
    const deleting = this.#agenda.deleting()
    if (deleting !== undefined) {
      if (!hasTurn()) return
      this.#isRunWanted = true
      return await purge(this.#context, { agenda: this.#agenda, events: this.#events }, deleting)
    }
    if (!this.#context.session.isConnected) return
    await this.#holds.releaseStrangers()
    const due = this.#agenda.next((id) => this.#halted.has(id))
    if (due === null) return
    if (due.waitMs > 0) {
      this.#context.pacer.idle('campaign')
      return this.#context.wakeDueIn(due.waitMs)
    }
    if (!hasTurn()) return
    if (!this.#share.takesTurn()) return this.#context.wakeDueIn(BUSY_MS)
    this.#isRunWanted = true
    await this.#serve(due.campaign, due.lateMs)
  }

  async #serve(campaign: ActiveCampaign, lateMs: number): Promise<void> {
    const { own } = this.#context.account
    if (campaign.ownAccount !== '' && !isOwn(this.#context.account, campaign.ownAccount))
      return await this.#pauseByUs(campaign, 'other_account')
    if (campaign.status === 'scheduled') await this.#start(campaign, own === null ? '' : toChatId(own))
    const recipient = await this.#agenda.recipient(campaign)
    if (recipient === null) return await this.#finish(campaign)
    this.#replies.await()
    const nodeWaitMs = this.#nodeTurns.waitedMs
    const serving = this.#turn.serve(campaign, recipient, nodeWaitMs)
    this.#sending = serving
    const served = await serving
    this.#failures = 0
    switch (served.step) {
      case 'next':
        this.#agenda.served(campaign, recipient, served)
        if (served.outcome === 'taken') this.#agenda.taken(campaign, served.day, recipient)
        this.#context.count({ what: 'campaign', outcome: served.outcome, lateMs, nodeWaitMs })
        this.#events.tellSoon(campaign)
        if (served.outcome === 'taken' && !served.isParked) await this.#holds.endWait(campaign)
        if (this.#turn.hasTooManyErrors(campaign)) await this.#pauseByUs(campaign, 'error_rate')
        break
      case 'noStrangers':
        this.#context.count({ what: 'campaign', outcome: 'parked', lateMs, nodeWaitMs })
        await this.#holds.strangersParked(campaign, served.hold, served.nextInMs)
        break
      case 'wait':
        if (served.reason === undefined) this.#agenda.postpone(campaign, served.ms)
        else await this.#holds.wait(campaign, served.reason, served.ms)
        break
      case 'pause':
        await this.#pauseByUs(campaign, served.reason)
        break
      case 'again':
        this.#agenda.forget()
        break
    }
  }

  async #start(campaign: ActiveCampaign, ownAccount: string): Promise<void> {
    const change = {
      from: ['scheduled'],
      to: 'sending',
      ...(campaign.ownAccount === '' ? { ownAccount } : {}),
    } as const
    if (this.#halted.has(campaign.id)) return
    await this.#context.journal.write([{ type: 'campaign.status', folderId: campaign.id, ...change }])
    this.#agenda.started(campaign, ownAccount)
    await this.#events.tell(campaign.id)
  }

  /** Ends a campaign of which nobody waits. While messages have no answer, or recipients are parked, it looks again later. */
  async #finish(campaign: ActiveCampaign): Promise<void> {
    const { reader, id, journal } = this.#context
    await journal.settled()?.catch(() => {})
    const now = await reader.campaign(id, campaign.id)
    if (now === null) return this.#agenda.forget()
    if (now.taken > 0) {
      this.#agenda.finishing(campaign, UNANSWERED_MS)
      this.awaitsAnswers = true
      return
    }
    if (now.parked > 0) return await this.#holds.waitForParked(campaign)
    if (this.#halted.has(campaign.id)) return
    await journal.write([{ type: 'campaign.status', folderId: campaign.id, from: ['sending'], to: 'done' }])
    this.#agenda.forget()
    await this.#events.tell(campaign.id)
  }

  async #pauseByUs(campaign: ActiveCampaign, reason: PauseReason): Promise<void> {
    if (this.#halted.has(campaign.id)) return
    this.#context.logger.warn({ folder: campaign.id, reason }, 'A campaign was paused.')
    await this.#move(campaign, { from: ['scheduled', 'sending'], to: 'paused', reason })
  }

  async #move(
    { id: folderId }: Pick<ActiveCampaign, 'id'>,
    move: { from: readonly CampaignStatus[]; to: CampaignStatus; reason?: PauseReason },
  ): Promise<void> {
    await this.#context.journal.write([{ type: 'campaign.status', folderId, ...move }])
    this.#agenda.forget()
    await this.#events.tell(folderId)
  }

  /** Changes a campaign while nothing of it begins. @throws GatewayError CAMPAIGN_NOT_FOUND */
  #change<T>(id: string, work: (campaign: CampaignRow) => Promise<T>): Promise<T> {
    return this.#inOrder(() =>
      this.#whileHalted([id], async () => {
        const { reader, id: instance, journal } = this.#context
        await journal.settled()?.catch(() => {})
        const campaign = await reader.campaign(instance, id)
        if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
        return await work(campaign)
      }),
    )
  }

  /** Returns a function that returns true if the campaign is halted, or was since now. */
  #watchHalts(id: string): () => boolean {
    const halts = this.#halts.get(id)
    return () => this.#isStopped || this.#halted.has(id) || this.#halts.get(id) !== halts
  }

  async #whileHalted<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const id of ids) {
      this.#halted.add(id)
      this.#halts.set(id, (this.#halts.get(id) ?? 0) + 1)
    }
    try {
      // The one under way ends, and is counted.
      const ended = Promise.allSettled([this.#sending]).then(() => {})
      await withTimeLimit(ended, DRAIN_MAX_MS, () => {})
      return await work()
    } finally {
      this.#agenda.forget()
      for (const id of ids) this.#halted.delete(id)
      void this.run()
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#commands.then(work)
    this.#commands = result.catch(() => {})
    return result
  }

  #note(error: unknown): void {
    this.#context.logger.debug({ error: errorText(error) }, 'A change of a campaign was not reported.')
  }
}

function ended(status: CampaignStatus): GatewayError {
  const message = status === 'deleting' ? 'The campaign is being deleted.' : 'The campaign has ended.'
  return new GatewayError('CAMPAIGN_ENDED', { message })
}

/** Recipients that are deleted in one write. The writes of other instances wait meanwhile. */
const PURGED_AT_ONCE = 1_000

/** Deletes some recipients of a campaign in `deleting`. Without any left, ends the campaign: the record of what was sent stays. */
async function purge(
  { reader, id, journal }: Pick<SendsContext, 'reader' | 'id' | 'journal'>,
  { agenda, events }: { readonly agenda: Pick<Agenda, 'forget'>; readonly events: Pick<ProgressEvents, 'tell'> },
  { id: folderId, clears }: ActiveCampaign,
): Promise<void> {
  await journal.settled()?.catch(() => {})
  if (await reader.hasRecipientsToDelete(id, folderId, clears)) {
    await journal.write([{ type: 'campaign.purge', folderId, all: clears, rowsMax: PURGED_AT_ONCE }])
    return
  }
  const now = await reader.campaign(id, folderId)
  const stays = !clears && now !== null && now.total > now.deleted
  if (stays) await journal.write([{ type: 'campaign.status', folderId, from: ['deleting'], to: 'done' }])
  else await journal.write([{ type: 'campaign.gone', folderId }])
  agenda.forget()
  if (stays) await events.tell(folderId)
}

/** Sends of the queue after which a campaign has a turn. */
const SENDS_BEFORE = 9

/** Lets asynchronous sends go before campaigns, but every tenth turn is a campaign's, so that a queue that never empties holds none back. */
export class QueueShare {
  readonly #queue: Pick<SendQueue, 'isBusy'>
  /** Sends of the queue since a campaign waits for it; null if none waits. */
  #passed: number | null = null

  /** @param onTurn called when it is the turn of a campaign that waits */
  constructor(queue: Pick<SendQueue, 'isBusy' | 'onLeft'>, onTurn: () => void) {
    this.#queue = queue
    queue.onLeft(() => {
      if (this.#passed === null) return
      this.#passed += 1
      if (this.#passed >= SENDS_BEFORE) onTurn()
    })
  }

  /** Returns true if a campaign that is due may send a message now. Otherwise counts what goes before it. */
  takesTurn(): boolean {
    const isOurs = !this.#queue.isBusy || (this.#passed ?? 0) >= SENDS_BEFORE
    this.#passed = isOurs ? null : (this.#passed ?? 0)
    return isOurs
  }
}
