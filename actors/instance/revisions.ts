import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { chatIdOf } from '../../schemas/jid.js'
import type { AskedRevision, ReviseCommand, ReviseReply } from '../../schemas/send-request.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { Connection } from '../network/port/connection.js'
import type { OutgoingMessage } from '../network/port/messages.js'
import { expandPlaceholders, hasPlaceholders } from './placeholders.js'
import type { Change, InstanceJournal, InstanceReader } from './ports.js'
import { refused } from './refusals.js'
import type { Relays } from './relays.js'
import { revisionTarget } from './revision-target.js'

export interface RevisionsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly relays: Relays
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: (waitMs: number) => Promise<Connection>
  readonly parkTimeoutMs: number
}

/**
 * Edits and deletions of messages of ours. Each goes through the lane of its chat, so behind the message that it changes, and what it
 * makes of that message is written together with the network's answer. It has no row of its own: one that is lost is asked again.
 */
export class Revisions {
  readonly #options: RevisionsOptions
  /** What becomes true of each once the network has taken it. */
  readonly #effects = new Map<MessageId, Change>()

  constructor(options: RevisionsOptions) {
    this.#options = options
  }

  /** @throws GatewayError SEND_REFUSED; OUTCOME_UNKNOWN when the network does not answer; what `revisionTarget` throws */
  async revise({ messageid, id, revision }: ReviseCommand): Promise<ReviseReply> {
    const { instance, reader, relays, journal, connection, parkTimeoutMs } = this.#options
    await connection(parkTimeoutMs)
    const target = revisionTarget(await reader.messagesNamed(instance, [id]), revision.kind)
    const reply = { messageid: target.messageid, timestampMs: Date.now(), content: {} as unknown }
    if (target.status === 'deleted') return reply
    const wanted = await this.#filled(revision, target)
    const { outcome } = await relays.send(
      {
        messageid,
        chat: target.chat,
        compose: async (live) => {
          const { message, after } = await live.messages.composeRevision(target, wanted)
          this.#effects.set(messageid, effectOf(target, after))
          reply.content = message.content
          return message
        },
        store: async () => null,
      },
      async () => {},
    )
    const result = await outcome
    if (result.status === 'failed') throw refused(messageid, result.code, result.why)
    if (result.status === 'pending') throw new GatewayError('OUTCOME_UNKNOWN')
    // Its caller finds the message as it is now.
    await journal.settled()
    return reply
  }

  /** The network has answered a message, which may be a revision: what is to be written with that. */
  answered(messageid: MessageId, error: number | null): readonly Change[] {
    const effect = this.#effects.get(messageid)
    this.#effects.delete(messageid)
    return effect === undefined || error !== null ? [] : [effect]
  }

  /** A connection opened: what the former one took and did not answer will have no answer. */
  opened(): void {
    this.#effects.clear()
  }

  async #filled(revision: AskedRevision, { chat }: MessageForActor): Promise<AskedRevision> {
    if (revision.kind === 'delete' || !hasPlaceholders(revision.text)) return revision
    const values = await this.#options.reader.placeholderValues(this.#options.instance, chat)
    return { kind: 'edit', text: expandPlaceholders(revision.text, values) }
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
