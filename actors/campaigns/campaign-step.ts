import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type {
  ActiveCampaign,
  CampaignSend,
  HoldReason,
  PauseReason,
  RecipientHold,
  RecipientReason,
  WaitingRecipient,
} from '../../schemas/campaign.js'
import { capWaitMs, dayIn } from '../../schemas/campaign.js'
import { isChannelJid } from '../../schemas/channel.js'
import { withMainText } from '../../schemas/content-texts.js'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import type { MessageId } from '../../schemas/ids.js'
import { type ChatAddress, parseAddress } from '../../schemas/jid.js'
import type { NewChatHold, PacedChat } from '../../schemas/pacing.js'
import type { SendContent } from '../../schemas/send-content.js'
import type { SendCommand } from '../../schemas/send-request.js'
import { msUntilOpen } from '../../schemas/send-window.js'
import { isStoreTrouble } from '../../schemas/store-trouble.js'
import type { Change } from '../instance/ports.js'
import type { ResolvedChat, SendsContext } from '../instance/sends/context.js'
import { uploadFiles } from '../instance/sends/prepare-media.js'
import type { SendsForFeatures } from '../instance/sends/sends.js'
import type { UploadedMedia } from '../network/port/media.js'
import type { NumberChecks } from './number-checks.js'
import type { RefusedMessages } from './refused-messages.js'

interface TurnParts extends Pick<SendsForFeatures, 'delivery' | 'queue' | 'delayed' | 'known'> {
  readonly refused: Pick<RefusedMessages, 'leaves' | 'wasParked'>
  readonly checks: NumberChecks
  /** Returns a function that returns true if nothing of this campaign may begin, or a call has changed it since now. */
  readonly watchHalts: (id: string) => () => boolean
}

/** The end of a turn. */
type Served =
  /** The recipient is done with. The next may follow after that time. */
  | { readonly step: 'next'; readonly nextInMs: number; readonly outcome: 'failed' | 'skipped' | 'parked' }
  /** It got a message, which counts for that day. `isParked`: the network has refused the message for now. */
  | {
      readonly step: 'next'
      readonly nextInMs: number
      readonly outcome: 'taken'
      readonly day: number
      readonly isParked: boolean
    }
  /** Nothing of the campaign can leave for so long. `reason` is given if its owner should know. */
  | { readonly step: 'wait'; readonly ms: number; readonly reason?: HoldReason }
  /** People who never wrote get nothing for a while. Those among the next are parked; others may follow after `nextInMs`. */
  | { readonly step: 'noStrangers'; readonly hold: NewChatHold; readonly nextInMs: number }
  | { readonly step: 'pause'; readonly reason: PauseReason }
  /** The rows have changed: they must be read again. */
  | { readonly step: 'again' }

/** The turn of one recipient. */
interface Turn {
  readonly campaign: ActiveCampaign
  readonly recipient: WaitingRecipient
  readonly isHalted: () => boolean
  /** Milliseconds until the next send of the campaign. */
  readonly nextInMs: number
  /** Day in the zone of the campaign, in days since 1970. */
  readonly day: number
  /** Time for which it waited because the node was busy. */
  readonly nodeWaitMs: number
}

/** Errors for which a recipient fails. A later attempt cannot help. */
const FAILS: Partial<Readonly<Record<ErrorCode, RecipientReason>>> = {
  NOT_ON_NETWORK: 'not_on_network',
  GROUP_NOT_FOUND: 'not_on_network',
  INVALID_NUMBER: 'invalid',
  // Values of placeholders can make a menu invalid.
  INVALID_REQUEST: 'invalid',
  MESSAGE_NOT_FOUND: 'invalid',
  OWN_MESSAGE: 'invalid',
  MESSAGE_TOO_OLD: 'invalid',
  MEDIA_REFUSED: 'refused',
}
/** Time until the next look-up after the network refused one. */
const LOOK_UP_REST_MS = 60_000
const TOO_MANY = 429
/** Time for which a recipient waits at once while asynchronous sends to the same chat are queued. */
const QUEUED_MS = 3_000
/** Maximum time for which a chat that waits for a delay parks its recipient at once. */
const PARKED_MAX_MS = 3_600_000
/** Maximum time for which a recipient waits for the window at once. */
const WINDOW_MAX_MS = 24 * 3_600_000

/** Recipients who are parked in a row for their look-up before the campaign waits, and how long it waits then. */
const UNCHECKED_MAX = 50
const CHECK_AGAIN_MS = 60_000
/** Recipients of whom those who never wrote are parked at once, and the time until the next ones. */
const STRANGERS_AT_ONCE = 200
const STRANGERS_EVERY_MS = 1_000

const TOO_FREQUENT = 'The person has got as many messages of campaigns lately as this campaign allows.'
const INTERNAL = 'The message could not be composed because of a bug in the gateway; its log has the error.'

class Halted extends Error {}

/** The turn of one recipient: resolves the chat, and hands the message to the pipeline of all sends, with the changes of the campaign in its write. */
export class CampaignStep {
  readonly #context: SendsContext
  readonly #parts: TurnParts
  readonly #uploads: SharedUploads
  readonly #errors = new ErrorRate()
  readonly #failures = new RepeatedFailures()
  #parkedInARow = 0

  constructor(context: SendsContext, parts: TurnParts) {
    this.#context = context
    this.#parts = parts
    this.#uploads = new SharedUploads(context)
  }

  /**
   * Serves a recipient.
   * @param nodeWaitMs time for which the turn waited because the node was busy
   * @throws GatewayError without a connection or the store; another error if the turn failed and the recipient is still the next one
   */
  async serve(campaign: ActiveCampaign, recipient: WaitingRecipient, nodeWaitMs: number): Promise<Served> {
    const isHalted = this.#parts.watchHalts(campaign.id)
    const nowMs = await this.#context.pacer.nowMs()
    const day = dayIn(campaign.timezone, nowMs)
    const turn: Turn = { campaign, recipient, isHalted, nextInMs: this.#choosePause(campaign), day, nodeWaitMs }
    const send = recipient.send ?? campaign.send
    if (send === null) return await this.#close(turn, 'internal', 'It has no content.')
    if (recipient.isSuppressed)
      return await this.#close(turn, 'opted_out', 'Campaigns send this person nothing.', 'skipped')
    // A message that the network has refused counts, but must not keep its recipient from the next one.
    if (recipient.isTooFrequent && recipient.attempts === 0)
      return await this.#close(turn, 'frequency', TOO_FREQUENT, 'skipped')
    const cappedMs = capWaitMs(campaign, nowMs)
    if (cappedMs > 0) return { step: 'wait', ms: cappedMs, reason: 'daily_cap' }
    const closedMs = campaign.window === null ? 0 : msUntilOpen(campaign.window, nowMs, recipient.timezone ?? undefined)
    if (closedMs > 0) return await this.#waitForWindow(turn, closedMs)
    if (recipient.isBehind) return await this.#park(turn, 0, 'behind')
    let chat: ResolvedChat | null = null
    try {
      const { pacer } = this.#context
      const asked = parseAddress(recipient.address)
      const hold = await pacer.newChatsHold('campaign')
      // Nothing is asked of the network for people who must wait.
      if (hold !== null && !(await this.#parts.known.isKnown(asked))) return await this.#parkStrangers(turn, hold)
      const found = await this.#parts.checks.find(asked)
      if ('parkMs' in found) return await this.#parkUnchecked(turn, found.parkMs)
      if ('waitMs' in found) return { step: 'wait', ms: found.waitMs }
      chat = found.chat
      const heldMs = await this.#heldMs(chat.address)
      if (heldMs !== null) return await this.#park(turn, Math.min(heldMs + 1, PARKED_MAX_MS), 'chat_busy')
      const paced = { isKnown: await this.#isKnown(recipient, asked, chat.address) }
      const decision = await pacer.decide('campaign', paced)
      if (decision.now !== true && 'parkMs' in decision) {
        const now = await pacer.newChatsHold('campaign')
        return await this.#parkStrangers(turn, now ?? { reason: 'new_chat_refusals', ms: decision.parkMs })
      }
      if (decision.now !== true)
        return {
          step: 'wait',
          ms: decision.waitMs,
          ...(decision.reason === 'network_rest' ? { reason: 'rate_limit' } : {}),
        }
      this.#parkedInARow = 0
      const answer = await this.#send(turn, send, chat, paced)
      this.#failures.forget(campaign.id)
      if (answer !== 'parked') this.#errors.note(campaign, answer === 'refused')
      return { step: 'next', nextInMs: turn.nextInMs, outcome: 'taken', day, isParked: answer === 'parked' }
    } catch (error) {
      if (error instanceof Halted) return { step: 'again' }
      return await this.#failed(turn, error, chat !== null)
    }
  }

  /** Returns true if the network has refused messages of a campaign too often of late. */
  hasTooManyErrors(campaign: ActiveCampaign): boolean {
    return this.#errors.isTooHigh(campaign)
  }

  /** Resets the error rate of a campaign. */
  forgetErrors(id: string): void {
    this.#errors.forget(id)
  }

  /** Answers from the page of recipients for people whom the network has under the address that was given. */
  async #isKnown({ hasWritten }: WaitingRecipient, asked: ChatAddress, found: ChatAddress): Promise<boolean> {
    const { known } = this.#parts
    const isSame = asked.pn === undefined ? asked.lid !== undefined && asked.lid === found.lid : asked.pn === found.pn
    if (hasWritten === null || !isSame) return await known.isKnownIfNeeded('campaign', found)
    return hasWritten || known.hasJustWritten(found)
  }

  /** Sends the message. `parked`: the network has refused it for now. `taken` too if it has not answered in time. */
  async #send(
    { campaign, recipient, isHalted, nextInMs, day, nodeWaitMs }: Turn,
    send: CampaignSend,
    chat: ResolvedChat,
    paced: PacedChat,
  ): Promise<'taken' | 'refused' | 'parked'> {
    const { id: folderId } = campaign
    const { ordinal, attempts, wasParked, vars } = recipient
    const variant = chooseVariant(campaign, ordinal)
    const { timing, id, messageIds } = this.#context
    // If the store loses the commit of this message, the recipient's next turn sends the same id again.
    const messageid = messageIds.ofRecipient(id, { folderId, ordinal, attempts })
    const { refused } = this.#parts
    const command: SendCommand = {
      type: 'send',
      messageid,
      number: recipient.address,
      content: withMainText(send.content, variant === null ? undefined : campaign.variants[variant]?.text),
      options: { ...send.options, delayMs: Math.min(send.options.delayMs ?? 0, timing.ackTimeoutMs), async: false },
      campaign: { folderId, ordinal },
      ...(vars === null ? {} : { vars }),
    }
    let isTaken = false
    const alongside = (): readonly Change[] => {
      // The last step before the write. What is asked from here on comes behind it.
      if (isHalted()) throw new Halted()
      isTaken = true
      refused.leaves(messageid, paced)
      return [
        { type: 'campaign.taken', folderId, ordinal, messageid, wasParked, variant, nextInMs, day, nodeWaitMs },
        ...this.#context.pacer.taken('campaign', paced, nextInMs),
      ]
    }
    const uploads = recipient.send === null ? this.#uploads.of(folderId, send.content, chat.address) : undefined
    try {
      await this.#parts.delivery.deliver(command, chat, { alongside, ...(uploads === undefined ? {} : { uploads }) })
      return refused.wasParked(messageid) ? 'parked' : 'taken'
    } catch (error) {
      const status = isTaken ? await this.#readStatus(messageid) : null
      // With a row, its status says what becomes of the message.
      if (status === null) throw error
      return status === 'failed' ? 'refused' : 'taken'
    }
  }

  /** Parks the people among the next recipients who never wrote, until the account may write to them. */
  async #parkStrangers({ campaign, recipient, isHalted }: Turn, hold: NewChatHold): Promise<Served> {
    const { reader, id, journal } = this.#context
    const { id: folderId } = campaign
    const { ordinal, wasParked } = recipient
    if (recipient.isParkedAsNew) return { step: 'noStrangers', hold, nextInMs: 0 }
    if (wasParked) {
      if (isHalted()) return { step: 'again' }
      const outcome = { kind: 'parked', forMs: null, reason: hold.reason } as const
      await journal.write([{ type: 'campaign.recipient', folderId, ordinal, wasParked, outcome, nextInMs: 0 }])
      return { step: 'noStrangers', hold, nextInMs: 0 }
    }
    const strangers = await reader.strangersAmong(id, folderId, ordinal, STRANGERS_AT_ONCE)
    if (isHalted()) return { step: 'again' }
    const others = strangers.filter(({ address }) => !this.#parts.known.hasJustWritten(parseAddress(address)))
    const ordinals = [ordinal, ...others.map((other) => other.ordinal)]
    await journal.write([{ type: 'campaign.parkNew', folderId, ordinals, reason: hold.reason, forMs: hold.ms }])
    return { step: 'noStrangers', hold, nextInMs: STRANGERS_EVERY_MS }
  }

  /** Parks a recipient whose number cannot be looked up yet. After some in a row the campaign waits. */
  async #parkUnchecked(turn: Turn, forMs: number): Promise<Served> {
    this.#parkedInARow += 1
    if (this.#parkedInARow <= UNCHECKED_MAX)
      return await this.#park(turn, Math.min(forMs + 1, PARKED_MAX_MS), 'number_checks')
    this.#parkedInARow = 0
    return { step: 'wait', ms: Math.min(forMs, CHECK_AGAIN_MS) }
  }

  /** Returns the stored status of a message; null if it has no row. */
  async #readStatus(messageid: MessageId): Promise<string | null> {
    const { journal, reader, id } = this.#context
    await journal.settled()?.catch(() => {})
    const rows = await reader.messagesById(id, [messageid])
    return rows.find(({ fromMe }) => fromMe)?.status ?? null
  }

  async #failed(turn: Turn, error: unknown, isResolved: boolean): Promise<Served> {
    const { campaign, recipient } = turn
    if (!(error instanceof GatewayError)) {
      const isGivenUp = this.#failures.note(campaign, recipient, error)
      const at = { err: error, folder: campaign.id, ordinal: recipient.ordinal }
      this.#context.logger.error(
        at,
        isGivenUp ? 'A recipient of a campaign failed.' : 'A recipient of a campaign waits.',
      )
      // Nothing was written: the recipient is still the next one.
      if (!isGivenUp) throw error
      return await this.#close(turn, 'internal', INTERNAL)
    }
    if (error.code === 'MEDIA_FILE_GONE' && recipient.send === null) return { step: 'pause', reason: 'file_gone' }
    if (error.code === 'SEND_REFUSED' && !isResolved && error.fields?.provider_code === TOO_MANY)
      return { step: 'wait', ms: LOOK_UP_REST_MS }
    const reason =
      error.code === 'SEND_REFUSED' ? 'refused' : error.code === 'MEDIA_FILE_GONE' ? 'invalid' : FAILS[error.code]
    if (reason === undefined) throw error
    return await this.#close(turn, reason, error.message)
  }

  async #close(
    { campaign: { id: folderId }, recipient: { ordinal, wasParked }, isHalted, nextInMs }: Turn,
    reason: RecipientReason,
    error: string,
    kind: 'failed' | 'skipped' = 'failed',
  ): Promise<Served> {
    if (isHalted()) return { step: 'again' }
    const outcome = { kind, reason, error } as const
    // Nothing was sent, so the next one needs no pause.
    const afterMs = kind === 'skipped' ? 0 : nextInMs
    const change = { type: 'campaign.recipient', folderId, ordinal, wasParked, outcome, nextInMs: afterMs } as const
    await this.#context.journal.write([change])
    return { step: 'next', nextInMs: afterMs, outcome: kind }
  }

  /** Parks a recipient who has a zone of their own. Otherwise the whole campaign waits. */
  async #waitForWindow(turn: Turn, closedMs: number): Promise<Served> {
    if (turn.campaign.window?.byRecipient === true)
      return await this.#park(turn, Math.min(closedMs + 1, WINDOW_MAX_MS), 'window')
    return { step: 'wait', ms: closedMs, reason: 'window' }
  }

  /** Parks a recipient who has to wait. */
  async #park(
    { campaign: { id: folderId }, recipient: { ordinal, wasParked }, isHalted }: Turn,
    forMs: number,
    reason: RecipientHold,
  ): Promise<Served> {
    if (isHalted()) return { step: 'again' }
    const outcome = { kind: 'parked', forMs, reason } as const
    await this.#context.journal.write([
      { type: 'campaign.recipient', folderId, ordinal, wasParked, outcome, nextInMs: 0 },
    ])
    return { step: 'next', nextInMs: 0, outcome: 'parked' }
  }

  /** Returns the time until a send to this chat may leave; null if no ordinary send stands before it. */
  async #heldMs(chat: ChatAddress): Promise<number | null> {
    const { queue, delayed } = this.#parts
    const { reader, id } = this.#context
    const waits = [queue.heldMs(chat), delayed.heldMs(chat)].filter((ms) => ms !== null)
    if (waits.length > 0) return Math.max(...waits)
    return queue.mayHaveRows && (await reader.hasQueued(id, chat)) ? QUEUED_MS : null
  }

  #choosePause({ delayMinMs, delayMaxMs }: ActiveCampaign): number {
    return Math.round(delayMinMs + (delayMaxMs - delayMinMs) * this.#context.random())
  }
}

/** Returns the text that a recipient gets, by its number in the list: always the same one, so that a repeat is the same message. */
function chooseVariant({ id, variants }: ActiveCampaign, ordinal: number): number | null {
  if (variants.length === 0) return null
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  const hash = createHash('sha256').update(`${id} ${ordinal}`).digest().readUInt32BE(0)
  let left = (hash / 2 ** 32) * total
  for (const [index, { weight }] of variants.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return variants.length - 1
}

/** Turns of one recipient that fail in a row before the recipient is given up. */
const TRIES_MAX = 6

/**
 * Counts failed turns of the recipient whose turn it is in each campaign, so that one whose message can never be composed does not stop
 * its campaign. Failures of the stores do not count: they say nothing about the recipient.
 */
class RepeatedFailures {
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

/** Campaigns whose uploads are remembered. */
const CAMPAIGNS_MAX = 20
/** Time for which an upload is used again. The network keeps files for much longer. */
const USED_FOR_MS = 60 * 60_000

/** Uploads of the files that all recipients of a campaign get: one each hour instead of one each message. */
class SharedUploads {
  readonly #context: SendsContext
  readonly #uploads = new LRUCache<string, Promise<readonly UploadedMedia[]>>({ max: CAMPAIGNS_MAX, ttl: USED_FOR_MS })

  constructor(context: SendsContext) {
    this.#context = context
  }

  of(folderId: string, content: SendContent, chat: ChatAddress): Promise<readonly UploadedMedia[]> {
    // Files for channels are others: they are not encrypted, and each post names its upload.
    if (chat.group !== undefined && isChannelJid(chat.group)) return uploadFiles(this.#context, content, chat)
    const known = this.#uploads.get(folderId)
    if (known !== undefined) return known
    const uploads = uploadFiles(this.#context, content, chat)
    this.#uploads.set(folderId, uploads)
    uploads.catch(() => {
      if (this.#uploads.peek(folderId) === uploads) this.#uploads.delete(folderId)
    })
    return uploads
  }
}

/** Number of latest outcomes from which the share is computed. */
const LAST = 50
/** Minimum number of outcomes. With fewer the share is never too high. */
const LAST_MIN = 20

type Counted = Pick<ActiveCampaign, 'id' | 'recent'>

/** The share of messages of each campaign that the network has refused of late. It goes on from the stored answers. */
class ErrorRate {
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
