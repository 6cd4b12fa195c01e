import { chatIdOf } from '../../schemas/jid.js'
import type { NetworkEvent, ReceiptEvent } from '../network/port/events.js'
import type { Change } from './ports.js'

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
    set:
      change.kind === 'deleted'
        ? { status: 'deleted' }
        : { content: change.content, edited: { text: change.text, atMs: timestampMs } },
    announce: {
      type: state,
      state,
      event: {
        Chat: chatIdOf(chat),
        Sender: chatIdOf(sender),
        sender_pn: sender.pn ?? '',
        sender_lid: sender.lid ?? '',
        IsFromMe: fromMe,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(timestampMs / 1000),
        ...(change.kind === 'edited' ? { Text: change.text } : {}),
      },
    },
  }
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
      event: {
        Chat: chatIdOf(event.chat),
        Sender: chatIdOf(voter),
        sender_pn: voter.pn ?? '',
        sender_lid: voter.lid ?? '',
        IsFromMe: event.byMe,
        IsGroup: event.chat.group !== undefined,
        Timestamp: Math.floor(event.timestampMs / 1000),
        Votes: tally.map(({ option, voters }) => ({ Option: option, Count: voters.length, Voters: voters })),
      },
    },
  }
}

/** Marks messages as delivered, read or played. If another device of this account read them, the chat has no unread ones any more. */
export function receiptChanges(event: ReceiptEvent): readonly Change[] {
  const update: Change = {
    type: 'message.update',
    messageids: event.messageids,
    fromMe: !event.byMe,
    set: { status: event.status },
    announce: {
      type: 'ReadReceipt',
      state: STATE_OF_STATUS[event.status],
      event: {
        Chat: chatIdOf(event.chat),
        Sender: chatIdOf(event.sender),
        sender_pn: event.sender.pn ?? '',
        sender_lid: event.sender.lid ?? '',
        IsFromMe: event.byMe,
        IsGroup: event.chat.group !== undefined,
        Timestamp: Math.floor(event.timestampMs / 1000),
        Type: event.status,
      },
    },
  }
  if (!event.byMe) return [update]
  return [update, { type: 'chat', chat: event.chat, set: { wa_unreadCount: 0 }, announce: true }]
}
