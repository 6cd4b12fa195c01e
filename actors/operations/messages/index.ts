import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { ReadingSettings } from '../../../schemas/instance-settings.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { type ChatAddress, isGroupJid, parseRecipient, toChatId } from '../../../schemas/jid.js'
import type { PresenceKind } from '../../../schemas/presence-kind.js'
import type { ReviseReply, SendReply, SendRequest } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { starChange, tallyChange } from '../../instance/message-changes.js'
import { orUnknown } from '../../instance/outcome.js'
import { markMessagesRead } from '../../instance/reading.js'
import { pollNamed } from '../../instance/sends/named-messages.js'
import { pinTarget } from '../../instance/sends/revisions.js'
import { bareMessageId } from '../../instance/sends/send-content.js'
import type { PollFacts } from '../../network/port/messages.js'
import type { InstanceContext } from '../context.js'
import { ownMember, requireAdmin } from '../groups/group-chat.js'
import { operation } from '../operation.js'
import { requestHistory } from './request-history.js'

interface VoteFields extends Pick<SendRequest, 'isRepeat' | 'idempotencyKey' | 'requestHash'> {
  /** Of the vote; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the poll: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  readonly options: readonly string[]
}

/** Votes in a stored poll, in place of an earlier vote of the account, and counts it. */
const votePoll = operation('votePoll', {
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
      number: toChatId(target.chat),
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

interface MarkedMessage {
  readonly message_id: string
  readonly status: 'success' | 'failed'
  readonly error?: string
}

/** Marks received messages as read, by their ids. Needs a connection only when there is something to mark. */
const markRead = operation('markRead', {
  // A receipt for a message that is read already says nothing new.
  repeat: true,
  example: { results: [] },
  async run(context: InstanceContext, { ids }: { readonly ids: readonly string[] }) {
    const messages = await context.reader.messagesNamed(context.id, ids)
    const received = messages.filter((message) => !message.fromMe)
    if (received.length > 0) await markMessagesRead(context, received)
    return { results: ids.map((id) => toResult(id, messages)) }
  },
})

function toResult(id: string, messages: readonly MessageForActor[]): MarkedMessage {
  const message = messages.find(({ messageid, record }) => [messageid, record.id].includes(bareMessageId(id)))
  if (message === undefined) return { message_id: id, status: 'failed', error: 'Message not found' }
  if (message.fromMe) return { message_id: id, status: 'failed', error: 'The message is our own' }
  return { message_id: id, status: 'success' }
}

interface PinFields {
  /** Of the pin itself; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  /** 0 unpins. */
  readonly seconds: number
}

/** Pins a message in its chat for all members, or unpins it. */
const pinMessage = operation('pinMessage', {
  // Phones take two pins with one id for one.
  repeat: true,
  example: ({ id }: PinFields): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  async run(context: InstanceContext, { messageid, id, seconds }: PinFields): Promise<ReviseReply> {
    const { group } = pinTarget(await context.reader.messagesNamed(context.id, [id])).chat
    if (group !== undefined && isGroupJid(group)) await requireRight(context, group)
    return await context.sends
      .revise({ type: 'revise', messageid, id, revision: { kind: 'pin', seconds } })
      .catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      })
  },
})

/** In a group whose data only admins change, the network takes the pin of another member, and phones do not show it. */
async function requireRight(context: InstanceContext, jid: Jid): Promise<void> {
  const { groups } = await context.connection()
  const group = await orUnknown(() => groups.get(jid))
  if (group.isLocked) requireAdmin(context, group)
  else ownMember(context, group)
}

interface RenewMediaFields {
  readonly messageid: MessageId
  /** The internal id, because several messages may have the same `messageid`. A node of release 0.1.0 leaves it out: the oldest counts. */
  readonly record?: string
}

/** Asks the account's phone to put the file of a message on the network's media host again. The message row leads to it afterwards. */
const renewMedia = operation('renewMedia', {
  // The phone puts the file there once more.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { messageid, record }: RenewMediaFields) {
    const messages = await context.reader.messagesById(context.id, [messageid])
    const message = messages.find(({ record: { id } }) => record === undefined || id === record)
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    const connection = await context.connection()
    const set = await connection.media.renew(message)
    // Another message with this id has a file of its own.
    const { chat, fromMe } = message
    const sender = findSender(message)
    await context.journal.write([{ type: 'message.update', messageids: [messageid], chat, fromMe, sender, set }])
    return null
  },
})

/** Reads the addresses of the sender from the row, as far as it has them. */
function findSender({ record: { sender_pn: pn, sender_lid: lid } }: MessageForActor): ChatAddress {
  return { ...(pn ? { pn: pn as Jid } : {}), ...(lid ? { lid: lid as Jid } : {}) }
}

interface KeepFields {
  /** Of the change itself; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  readonly isKept: boolean
}

/** Keeps a message of a chat whose messages disappear, for all members, or lets it disappear. */
const keepMessage = operation('keepMessage', {
  // Phones take two changes with one id for one.
  repeat: true,
  example: ({ id }: KeepFields): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  async run(context: InstanceContext, { messageid, id, isKept }: KeepFields): Promise<ReviseReply> {
    const { chat } = pinTarget(await context.reader.messagesNamed(context.id, [id]))
    const record = await context.reader.chat(context.id, chat)
    if (!Number(record?.wa_ephemeralExpiration))
      throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: messages of this chat do not disappear.' })
    return await context.sends
      .revise({ type: 'revise', messageid, id, revision: { kind: 'keep', isKept } })
      .catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      })
  },
})

interface StarFields {
  readonly id: string
  readonly isSet: boolean
}

/** Stars a message on all devices of the account, or takes the star away. */
const starMessage = operation('starMessage', {
  repeat: true,
  example: { messageid: '3EB0C767D097B7C7C030' },
  async run(context: InstanceContext, { id, isSet }: StarFields): Promise<{ readonly messageid: string }> {
    const connection = await context.connection()
    const named = await context.reader.messagesNamed(context.id, [id])
    const message = named.find(({ status }) => status !== 'deleted')
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    if (['queued', 'failed', 'canceled'].includes(message.status)) throw new GatewayError('MESSAGE_NOT_SENT')
    await orUnknown(() => connection.settings.change({ kind: 'star', message, isSet }))
    const { messageid, chat, fromMe } = message
    await context.journal.write([starChange({ messageid, chat, fromMe, isSet })])
    return { messageid }
  },
})

interface PresenceFields {
  readonly number: string
  readonly presence: PresenceKind
  readonly delayMs: number
}

/** Shows or ends a typing or recording indicator. */
const presence = operation('presence', {
  // An indicator ends with the owner that showed it.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, presence: kind, delayMs }: PresenceFields) {
    const given = parseRecipient(number)
    await context.connection()
    const chat = await bothAddresses(context.id, given, context.reader)
    if (kind === 'paused') context.presences.pause(chat)
    else context.presences.start(chat, kind, delayMs)
    return null
  },
})

// Settings for reading messages automatically, and for the history that a pairing asks for.

const NONE: ReadingSettings = { readMessages: false, readStatus: false, fullHistory: false }

/** Shows the settings. Needs no connection. */
const showReadingSettings = operation('showReadingSettings', {
  repeat: true,
  example: NONE,
  run: ({ automaticReading }: InstanceContext) => automaticReading.settings(),
})

/** Changes the settings. Those that are not named stay. Needs no connection. */
const setReadingSettings = operation('setReadingSettings', {
  repeat: true,
  example: NONE,
  async run({ automaticReading, journal }: InstanceContext, { set }: { readonly set: Partial<ReadingSettings> }) {
    const after: ReadingSettings = { ...(await automaticReading.settings()), ...set }
    await journal.write([{ type: 'instance', set: { readingSettings: JSON.stringify(after) } }])
    automaticReading.use(after)
    return after
  },
})

export const messageOperations = [
  keepMessage,
  markRead,
  pinMessage,
  presence,
  renewMedia,
  requestHistory,
  setReadingSettings,
  showReadingSettings,
  starMessage,
  votePoll,
] as const
