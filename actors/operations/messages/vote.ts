import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { chatIdOf } from '../../../schemas/jid.js'
import type { SendReply, SendRequest } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { tallyChange } from '../../instance/message-changes.js'
import { pollNamed } from '../../instance/sends/named-messages.js'
import type { PollFacts } from '../../network/port/messages.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface VoteFields extends Pick<SendRequest, 'isRepeat' | 'idempotencyKey' | 'requestHash'> {
  /** Of the vote; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the poll: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  readonly options: readonly string[]
}

/** Votes in a stored poll, in place of an earlier vote of the account, and counts it. */
export const votePoll = operation('votePoll', {
  // The owner looks for the row of the message id first.
  repeat: (command: VoteFields) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  example: ({ messageid, options }: VoteFields): SendReply => ({
    record: { id: 'r1', messageid, messageType: 'poll', messageTimestamp: 1, vote: options.join(', '), status: 'sent' },
    warnings: [],
  }),
  async run(context: InstanceContext, command: VoteFields): Promise<SendReply> {
    const { id, options, messageid, isRepeat, idempotencyKey, requestHash } = command
    const connection = await context.connection()
    const target = await pollNamed(context, id)
    const poll = connection.messages.poll(target)
    if (poll === null) throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: the message is not a poll.' })
    checkOptions(options, poll)
    const content = { kind: 'vote', id: target.messageid, options } as const
    const request = {
      messageid,
      number: chatIdOf(target.chat),
      content,
      options: {},
      ...(isRepeat === undefined ? {} : { isRepeat }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(requestHash === undefined ? {} : { requestHash }),
    }
    const reply = await context.sends.send({ type: 'send', ...request }).catch(async (error: unknown) => {
      throw await context.limits.explained(error)
    })
    await count(context, target, poll)
    return reply
  },
})

function checkOptions(options: readonly string[], { options: known, selectableCount }: PollFacts): void {
  const unknown = options.find((option) => !known.includes(option))
  if (unknown !== undefined) throw invalidField('options', `must be options of the poll: ${known.join(', ')}`)
  if (selectableCount > 0 && options.length > selectableCount)
    throw invalidField('options', `must have at most ${selectableCount} items, as the poll says`)
}

/** Writes the votes of the poll, this one among them, as those of others are counted. */
async function count(context: InstanceContext, target: MessageForActor, poll: PollFacts): Promise<void> {
  const { id, reader, journal, account } = context
  const { messages } = await context.connection()
  await journal.settled()
  const { messageid, chat, fromMe, record } = target
  const tally = messages.tally(poll, await reader.pollVotes(id, messageid))
  const voter = account.own ?? {}
  const counted = {
    messageid,
    chat,
    fromMe,
    voter,
    byMe: true,
    timestampMs: Date.now(),
    tally,
    content: record.content,
  }
  await journal.write([tallyChange({ type: 'tallied', ...counted })])
}
