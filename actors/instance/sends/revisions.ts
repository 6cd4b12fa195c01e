import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import { chatIdOf } from '../../../schemas/jid.js'
import { expandPlaceholders, hasPlaceholders } from '../../../schemas/placeholders.js'
import type { RequestedRevision, ReviseCommand, ReviseReply } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { withTimeLimit } from '../../../schemas/time-limit.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import type { SendsContext } from '../../operations/context.js'
import { pinnedChange } from '../message-changes.js'
import type { Change } from '../ports.js'
import type { SendOutcome } from './answers.js'
import { sendRefused } from './refusals.js'
import type { Relays } from './relays.js'
import { pinTarget, revisionTarget } from './revision-target.js'

type RevisionsContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'connection' | 'timing' | 'account'>

/**
 * Edits and deletions of messages of ours, and pins of any message. Each goes through the lane of its chat, so behind the message that it changes. Its effect on
 * that message is written together with the network's answer. It has no row of its own: the caller repeats one that was lost.
 */
export class Revisions {
  readonly #context: RevisionsContext
  readonly #relays: Relays
  /** The change of the store that each makes once the network has taken it. */
  readonly #effects = new Map<MessageId, Change>()

  constructor(context: RevisionsContext, relays: Relays) {
    this.#context = context
    this.#relays = relays
  }

  /** @throws GatewayError SEND_REFUSED; OUTCOME_UNKNOWN if the network does not answer; the errors of `revisionTarget` */
  async revise({ messageid, id, revision }: ReviseCommand): Promise<ReviseReply> {
    const { id: instance, reader, journal, connection, timing } = this.#context
    await connection()
    const named = await reader.messagesNamed(instance, [id])
    const target = revision.kind === 'pin' ? pinTarget(named) : revisionTarget(named, revision.kind)
    const reply = { messageid: target.messageid, timestampMs: Date.now(), content: {} as unknown }
    if (target.status === 'deleted') return reply
    const wanted = await this.#filled(revision, target)
    const relayed = this.#relay(messageid, target, wanted)
    relayed.catch(() => {})
    const { outcome, content } = await withTimeLimit(relayed, timing.ackTimeoutMs, () => {
      throw new GatewayError('OUTCOME_UNKNOWN')
    })
    const result = await outcome
    if (result.status === 'failed') throw sendRefused(messageid, result.code, result.why)
    if (result.status === 'pending') throw new GatewayError('OUTCOME_UNKNOWN')
    // When the caller reads the message next, it is changed.
    await journal.settled()
    return { ...reply, content }
  }

  /** Returns the changes to write with the network's answer to a message, which may be a revision. */
  answered(messageid: MessageId, error: number | null): readonly Change[] {
    const effect = this.#effects.get(messageid)
    this.#effects.delete(messageid)
    return effect === undefined || error !== null ? [] : [effect]
  }

  /** Handles a new connection. Revisions that the former one took and did not answer will have no answer. */
  opened(): void {
    this.#effects.clear()
  }

  #relay(
    messageid: MessageId,
    target: MessageForActor,
    revision: RequestedRevision,
  ): Promise<{ readonly outcome: Promise<SendOutcome>; readonly content: unknown }> {
    return this.#relays.inLane(target.chat, async () => {
      const turn = await this.#relays.takeTurn(target.chat, async (connection) => {
        const { message, after } = await connection.messages.composeRevision(target, revision)
        this.#effects.set(messageid, this.#effectOf(target, revision, after))
        return message
      })
      const { outcome } = this.#relays.answers.wait(messageid)
      await this.#relays.relay(turn, { messageid, chat: target.chat }, Promise.resolve())
      return { outcome, content: turn.message.content }
    })
  }

  async #filled(revision: RequestedRevision, { chat }: MessageForActor): Promise<RequestedRevision> {
    if (revision.kind !== 'edit' || !hasPlaceholders(revision.text)) return revision
    const values = await this.#context.reader.placeholderValues(this.#context.id, chat)
    return { kind: 'edit', text: expandPlaceholders(revision.text, values) }
  }

  #effectOf(target: MessageForActor, revision: RequestedRevision, after: OutgoingMessage | null): Change {
    if (revision.kind !== 'pin') return effectOf(target, after)
    const { messageid, chat } = target
    const atMs = Date.now()
    const untilMs = revision.seconds === 0 ? 0 : atMs + revision.seconds * 1000
    return pinnedChange({ messageid, untilMs, chat, by: this.#context.account.own ?? {}, byMe: true, atMs })
  }
}

function effectOf({ messageid, chat }: MessageForActor, after: OutgoingMessage | null): Change {
  const state = after === null ? 'Deleted' : 'Edited'
  return {
    type: 'message.update',
    messageids: [messageid],
    fromMe: true,
    set:
      after === null
        ? { status: 'deleted' }
        : { content: after.content, edited: { text: after.text, atMs: Date.now() }, proto: after.proto },
    announce: {
      type: state,
      state,
      event: {
        Chat: chatIdOf(chat),
        IsFromMe: true,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(Date.now() / 1000),
        ...(after === null ? {} : { Text: after.text }),
      },
    },
  }
}
