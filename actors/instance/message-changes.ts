import type { MessageId } from '../../schemas/ids.js'
import { type ChatAddress, chatNames, senderNames, toChatAddress, toChatId } from '../../schemas/jid.js'
import { isStatusChat } from '../../schemas/status-post.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { NetworkEvent, ReceiptEvent, Revision } from '../network/port/events.js'
import type { Change, MessageUpdateChange } from './ports.js'

/** Notes the ad that brought a person. A group has no lead. */
export function sourceChanges({ ad, chat, isGroup, messageTimestampMs }: NewMessage): readonly Change[] {
  return ad === undefined || isGroup ? [] : [{ type: 'lead.source', chat, ad, atMs: messageTimestampMs }]
}

const STATE_OF_STATUS = { delivered: 'Delivered', read: 'Read', played: 'Played' } as const

/** Edits or deletes a message whose writer, or an admin of the group, changed it. */
export function revisionChange(event: Extract<NetworkEvent, { type: 'revised' }>): Change {
  const { chat, sender, fromMe, change, timestampMs } = event
  const state = change.kind === 'deleted' ? 'Deleted' : 'Edited'
  return {
    type: 'message.update',
    messageids: [event.messageid],
    chat,
    ...(event.byAdmin ? {} : { fromMe, sender }),
    set: change.kind === 'deleted' ? { status: 'deleted' } : editSet(change, timestampMs),
    announce: {
      type: state,
      state,
      people: [chat, sender],
      event: (named) => ({
        ...chatNames(named(chat)),
        ...senderNames(named(sender)),
        IsFromMe: fromMe,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(timestampMs / 1000),
        ...(change.kind === 'edited' ? { Text: change.text } : {}),
        ...(change.kind === 'edited' && change.after?.options ? { Options: change.after.options } : {}),
      }),
    },
  }
}

/** Pins or unpins the message that another one is about. */
export function pinChanges({
  pin,
  chat,
  fromMe,
  sender,
  senderLid,
  messageTimestampMs,
}: NewMessage): readonly Change[] {
  if (pin === undefined) return []
  const by = toChatAddress(sender, senderLid ?? null)
  return [pinnedChange({ ...pin, chat, by, byMe: fromMe, atMs: messageTimestampMs })]
}

interface Pinned {
  readonly messageid: MessageId
  readonly untilMs: number
  readonly chat: ChatAddress
  readonly by: ChatAddress
  readonly byMe: boolean
  readonly atMs: number
}

/** Pins a message of a chat until then; 0 unpins it. */
export function pinnedChange({ messageid, untilMs, chat, by, byMe, atMs }: Pinned): Change {
  const state = untilMs === 0 ? 'Unpinned' : 'Pinned'
  return {
    type: 'message.update',
    messageids: [messageid],
    chat,
    set: { pinnedUntilMs: untilMs },
    announce: {
      type: state,
      state,
      people: [chat, by],
      event: (named) => ({
        ...chatNames(named(chat)),
        ...senderNames(named(by)),
        IsFromMe: byMe,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(atMs / 1000),
        ...(untilMs === 0 ? {} : { PinnedUntil: untilMs }),
      }),
    },
  }
}

interface Starred {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  readonly fromMe: boolean
  readonly isSet: boolean
}

/** Stars a message, or takes the star away. Only the account sees it. */
export function starChange({ messageid, chat, fromMe, isSet }: Starred): Change {
  const state = isSet ? 'Starred' : 'Unstarred'
  return {
    type: 'message.update',
    messageids: [messageid],
    chat,
    fromMe,
    set: { starred: isSet },
    announce: {
      type: state,
      state,
      people: [chat],
      event: (named) => ({
        ...chatNames(named(chat)),
        IsFromMe: true,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(Date.now() / 1000),
      }),
    },
  }
}

/** Replaces the file of a message. Its text, and whether it was edited, stay. */
export function refiledChange(event: Extract<NetworkEvent, { type: 'refiled' }>): Change {
  const { chat, sender, fromMe, content, proto, timestampMs } = event
  return {
    type: 'message.update',
    messageids: [event.messageid],
    chat,
    fromMe,
    ...(fromMe ? {} : { sender }),
    set: { content, proto },
    announce: {
      type: 'HighDefinition',
      state: 'FileReplaced',
      people: [chat, sender],
      event: (named) => ({
        ...chatNames(named(chat)),
        ...senderNames(named(sender)),
        IsFromMe: fromMe,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(timestampMs / 1000),
      }),
    },
  }
}

function editSet(
  { text, content, after }: Extract<Revision, { kind: 'edited' }>,
  atMs: number,
): MessageUpdateChange['set'] {
  if (after === undefined) return { content, edited: { text, atMs } }
  const { options, ...kept } = after
  return { content, ...(options === undefined ? { edited: { text, atMs } } : {}), ...kept }
}

/** Marks a note as applied, or gives it another reason. */
export function noteChange(event: Extract<NetworkEvent, { type: 'noteSettled' }>): Change {
  const { messageid, chat, fromMe, content } = event
  return { type: 'message.update', messageids: [messageid], chat, fromMe, set: { content } }
}

/** Writes the options of a vote into its row. The event is that of its poll. */
export function voteChange({
  messageid,
  chat,
  fromMe,
  vote,
  content,
}: Extract<NetworkEvent, { type: 'voteRead' }>): Change {
  return { type: 'message.update', messageids: [messageid], chat, fromMe, set: { vote, content } }
}

/** Writes the result into the poll's own row: the number of votes for each option in `vote`, and the voters in `content`. */
export function tallyChange(event: Extract<NetworkEvent, { type: 'tallied' }>): Change {
  const { tally, voter } = event
  return {
    type: 'message.update',
    messageids: [event.messageid],
    chat: event.chat,
    fromMe: event.fromMe,
    set: {
      vote: JSON.stringify(tally.map(({ option, voters }) => ({ option, votes: voters.length }))),
      content: { ...(event.content as object), votes: tally },
    },
    announce: {
      type: 'PollVote',
      state: 'Voted',
      people: [event.chat, voter, ...tally.flatMap(({ voters }) => voters.map((one) => toChatAddress(one)))],
      event: (named) => ({
        ...chatNames(named(event.chat)),
        ...senderNames(named(voter)),
        IsFromMe: event.byMe,
        IsGroup: event.chat.group !== undefined,
        Timestamp: Math.floor(event.timestampMs / 1000),
        Votes: tally.map(({ option, voters }) => ({
          Option: option,
          Count: voters.length,
          Voters: voters.map((one) => toChatId(named(toChatAddress(one)))),
        })),
      }),
    },
  }
}

/** Statuses that a receipt implies for its reader: a message that was played was also read. */
const IMPLIED = {
  delivered: ['delivered'],
  read: ['delivered', 'read'],
  played: ['delivered', 'read', 'played'],
} as const

/**
 * Marks messages as delivered, read or played; messages to a group when all members have them so. If another device of this account read them,
 * the chat has no unread ones.
 */
export function receiptChanges(event: ReceiptEvent): readonly Change[] {
  const { group } = event.chat
  if (!event.byMe && isStatusChat(event.chat)) return [statusReceipt(event)]
  if (!event.byMe && group !== undefined) {
    const member = { group, person: event.reader, atMs: event.timestampMs }
    return IMPLIED[event.status].map((status) => ({ ...receiptUpdate({ ...event, status }), member }))
  }
  const update = receiptUpdate(event)
  if (!event.byMe) return [update]
  return [update, { type: 'chat', chat: event.chat, set: { wa_unreadCount: 0 }, announce: true }]
}

function receiptUpdate(event: ReceiptEvent): MessageUpdateChange {
  return {
    type: 'message.update',
    messageids: event.messageids,
    fromMe: !event.byMe,
    set: { status: event.status },
    announce: {
      type: 'ReadReceipt',
      state: STATE_OF_STATUS[event.status],
      people: [event.chat, event.sender],
      event: (named) => ({
        ...chatNames(named(event.chat)),
        ...senderNames(named(event.sender)),
        IsFromMe: event.byMe,
        IsGroup: event.chat.group !== undefined,
        Timestamp: Math.floor(event.timestampMs / 1000),
        Type: event.status,
      }),
    },
  }
}

/** The receipt of one person says nothing of a post as a whole: its row is pending until the network has taken all of its parts. */
function statusReceipt({ messageids, sender, status, timestampMs }: ReceiptEvent): Change {
  return { type: 'status.receipt', messageids, person: sender, isSeen: status !== 'delivered', atMs: timestampMs }
}
