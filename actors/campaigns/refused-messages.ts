import type { MessageId } from '../../schemas/ids.js'
import { parseAddress } from '../../schemas/jid.js'
import type { AfterRefusal, PacedChat } from '../../schemas/pacing.js'
import type { MessageUpdateChange } from '../instance/ports.js'
import { RecentMap } from '../instance/recent-map.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { KnownChats } from '../instance/sends/known-chats.js'
import { isForNow } from '../instance/sends/parking.js'
import { refusalSentence } from '../instance/sends/refusals.js'
import type { Relays } from '../instance/sends/relays.js'

type Parks = NonNullable<MessageUpdateChange['parks']>
type ParkedRefusal = Extract<AfterRefusal, { readonly next: 'park' }>
type RefusalsContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'pacer'>

const TOO_MANY = 429
const REMEMBERED_MAX = 200
/** Messages to one recipient, after which a refusal is final. Fewer if the network refuses this person, and not the account. */
const TRIES_MAX = 6
const TRIES_OF_PERSON_MAX = 2
/** Time for which others may go before a refused one, so that its own refusal does not prolong the rest of the account. */
const OTHERS_FIRST_MS = 600_000

/**
 * Parks recipients of campaigns whose message the network refuses for now. That message has failed; they get another one, under another id.
 * The stored row says which recipient a message is for, so that a refusal counts the same after a crash.
 */
export class RefusedMessages {
  /** True from the first message to a person who never wrote. */
  awaitsAnswers = false
  readonly #context: RefusalsContext
  readonly #relays: Pick<Relays, 'answered'>
  readonly #known: Pick<KnownChats, 'isKnown'>
  /** Messages to people who never wrote that the network has not answered. */
  readonly #toStrangers = new RecentMap<MessageId, true>(REMEMBERED_MAX)
  readonly #parked = new RecentMap<MessageId, true>(REMEMBERED_MAX)

  constructor(context: RefusalsContext, relays: Pick<Relays, 'answered'>, known: Pick<KnownChats, 'isKnown'>) {
    this.#context = context
    this.#relays = relays
    this.#known = known
  }

  /** Notes that a message of a campaign leaves. */
  leaves(messageid: MessageId, chat: PacedChat): void {
    if (chat.isKnown) return
    this.#toStrangers.set(messageid, true)
    this.awaitsAnswers = true
  }

  /** Handles that the network took a message. */
  taken(messageid: MessageId): void {
    if (!this.#toStrangers.has(messageid)) return
    this.#toStrangers.delete(messageid)
    this.#context.pacer.accepted()
  }

  mayHelp(error: number): boolean {
    return isForNow(error)
  }

  /** Returns true if the recipient of this message was parked for its refusal. */
  wasParked(messageid: MessageId): boolean {
    return this.#parked.has(messageid)
  }

  /** Parks the recipient of a refused message. Returns false if the message is of no campaign, or the refusal is final. */
  async park(messageid: MessageId, error: number): Promise<boolean> {
    const { id, journal, reader, pacer } = this.#context
    this.#toStrangers.delete(messageid)
    const recipient = await reader.findRecipient(id, messageid)
    if (recipient === null) return false
    const after = await pacer.refused(error, { isKnown: await this.#known.isKnown(parseAddress(recipient.address)) })
    if (after.next === 'fail') return false
    if (recipient.attempts >= (after.isOfPerson ? TRIES_OF_PERSON_MAX : TRIES_MAX)) return false
    const parks = await this.#choosePark(error, after)
    this.#parked.set(messageid, true)
    const stored = journal.write([parkedUpdate(messageid, error, parks, after.ms)])
    this.#relays.answered(messageid, { status: 'pending' }, stored)
    return true
  }

  async #choosePark(error: number, { ms, isOfPerson }: ParkedRefusal): Promise<Parks> {
    if (error === TOO_MANY) return { forMs: ms, reason: 'rate_limit' }
    if (isOfPerson) return { forMs: ms, reason: 'refused' }
    const hold = await this.#context.pacer.newChatsHold('campaign')
    // Perhaps the refusals are of this person after all.
    if (hold === null || hold.reason === 'new_chat_refusals') return { forMs: ms + OTHERS_FIRST_MS, reason: 'refused' }
    return { forMs: null, reason: hold.reason }
  }
}

/** Returns the change of a message that the network has refused for now, with its event. */
function parkedUpdate(messageid: MessageId, error: number, parks: Parks, afterMs: number): MessageUpdateChange {
  const event = {
    IsFromMe: true,
    provider_code: error,
    parked: true,
    retryAfterSeconds: Math.max(1, Math.ceil(afterMs / 1_000)),
  }
  return {
    type: 'message.update',
    messageids: [messageid],
    fromMe: true,
    set: { status: 'failed', queuedRequest: null, error: refusalSentence(error), providerCode: error },
    announce: { type: 'Status', state: 'Failed', event },
    parks,
  }
}
