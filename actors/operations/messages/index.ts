import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, isGroupJid, parseRecipient } from '../../../schemas/jid.js'
import type { PresenceKind } from '../../../schemas/presence-kind.js'
import type { ReadingSettings } from '../../../schemas/reading-settings.js'
import type { ReviseReply } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { starChange } from '../../instance/message-changes.js'
import { orUnknown } from '../../instance/outcome.js'
import { pinTarget } from '../../instance/sends/revision-target.js'
import type { InstanceContext } from '../context.js'
import { ownMember, requireAdmin } from '../groups/group-rights.js'
import { operation } from '../operation.js'
import { markRead } from './mark-read.js'
import { requestHistory } from './request-history.js'
import { votePoll } from './vote.js'

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
    const sender = senderOf(message)
    await context.journal.write([{ type: 'message.update', messageids: [messageid], chat, fromMe, sender, set }])
    return null
  },
})

/** Reads the addresses of the sender from the row, as far as it has them. */
function senderOf({ record: { sender_pn: pn, sender_lid: lid } }: MessageForActor): ChatAddress {
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

/** Settings for reading messages automatically, and for the history that a pairing asks for. */

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
