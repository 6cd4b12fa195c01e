import type { MessageId } from '../../../schemas/ids.js'
import { chatNames, type NamePerson } from '../../../schemas/jid.js'
import type { PacedChat } from '../../../schemas/pacing.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'
import { RecentMap } from '../recent-map.js'
import type { SendsContext } from './context.js'
import type { KnownChats } from './known-chats.js'
import type { Relays } from './relays.js'

type ParkingContext = Pick<SendsContext, 'journal' | 'pacer'>

interface Leaving {
  readonly queued: MessageForActor
  readonly chat: PacedChat
}

/** The part of the request of a queued message that says how it was refused. */
interface Refused {
  /** Time until which its recipient rests, by PostgreSQL's clock; 0: only the account does. */
  readonly untilMs: number
  /** Number of refusals of this recipient, without a restriction of the account. */
  readonly refusals: number
}

/** The network's codes for a message that a restriction forbids, and for too many messages. */
const PARKED: ReadonlySet<number> = new Set([463, 429])
const REMEMBERED_MAX = 200
/** Further tries to a recipient whom the network refuses, without a restriction of the account. */
const TRIES_MAX = 1

/** Returns true if the network may take the message later that it refuses with this code now. */
export function isForNow(code: number): boolean {
  return PARKED.has(code)
}

/** Returns how a queued message was refused; null if it was not. */
export function refusedBefore(request: unknown): Refused | null {
  return (request as { readonly refused?: Refused } | null)?.refused ?? null
}

/**
 * Puts queued messages that the network refuses for now back into the queue, under their ids: nobody has seen them. Their place in the
 * chat stays theirs.
 */
export class Parking {
  readonly #context: ParkingContext
  readonly #relays: Pick<Relays, 'answered'>
  readonly #known: Pick<KnownChats, 'isKnown'>
  /** Messages from the queue that the network has not answered. */
  readonly #leaving = new RecentMap<MessageId, Leaving>(REMEMBERED_MAX)
  #onParked: (queued: MessageForActor) => void = () => {}

  constructor(context: ParkingContext, relays: Pick<Relays, 'answered'>, known: Pick<KnownChats, 'isKnown'>) {
    this.#context = context
    this.#relays = relays
    this.#known = known
  }

  /** @param listener called when a message is in the queue again, before its sender learns of it */
  onParked(listener: (queued: MessageForActor) => void): void {
    this.#onParked = listener
  }

  leaves(queued: MessageForActor, chat: PacedChat): void {
    this.#leaving.set(queued.messageid, { queued, chat })
  }

  /** Handles that the network took a message. */
  taken(messageid: MessageId): void {
    const leaving = this.#leaving.get(messageid)
    this.#leaving.delete(messageid)
    if (leaving !== undefined && !leaving.chat.isKnown) this.#context.pacer.accepted()
  }

  mayHelp(messageid: MessageId, error: number): boolean {
    return isForNow(error) && this.#leaving.has(messageid)
  }

  /** Puts the refused message back into the queue. Returns false if it has failed. */
  async park(messageid: MessageId, error: number): Promise<boolean> {
    const { journal, pacer } = this.#context
    const leaving = this.#leaving.get(messageid)
    this.#leaving.delete(messageid)
    if (leaving === undefined) return false
    const { queued } = leaving
    const after = await pacer.refused(error, { isKnown: await this.#known.isKnown(queued.chat) })
    const before = refusedBefore(queued.queuedRequest)?.refusals ?? 0
    if (after.next === 'fail' || (after.isOfPerson && before >= TRIES_MAX)) return false
    const refused: Refused = after.isOfPerson
      ? { untilMs: (await pacer.nowMs()) + after.ms, refusals: before + 1 }
      : { untilMs: 0, refusals: before }
    const queuedRequest = { ...(queued.queuedRequest as object), refused }
    const stored = journal.write([
      { type: 'message.requeue', messageid, queuedRequest },
      requeuedEvent(queued, error, after.ms),
    ])
    await stored.then(
      () => this.#onParked(queued),
      () => {},
    )
    this.#relays.answered(messageid, { status: 'pending' }, stored)
    return true
  }
}

/** Returns the event of a message that waits again. */
function requeuedEvent({ messageid, chat, record }: MessageForActor, error: number, waitMs: number): Change {
  const event = {
    IsGroup: record.isGroup,
    IsFromMe: true,
    MessageIDs: [messageid],
    provider_code: error,
    parked: true,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  }
  const body = (named: NamePerson) => ({
    type: 'Status',
    state: 'Queued',
    status: 'queued',
    ids: [record.id],
    event: { ...chatNames(named(chat)), ...event },
  })
  return { type: 'event', kind: 'messages_update', chat, people: [chat], body }
}
