import type { GroupInfo } from '../../schemas/group-info.js'
import { chatIdOf } from '../../schemas/jid.js'
import type { HistoryBatch, NetworkEvent, ReceiptEvent } from '../network/port/events.js'
import { callChange } from './calls.js'
import type { Change, InstanceJournal } from './ports.js'

const STATE_OF_STATUS = { delivered: 'Delivered', read: 'Read', played: 'Played' } as const
const HISTORY_CHUNK = 200

/** Facts of the network as durable changes; synchronous, so that they are in the journal before the network can hear of them. */
export function changesOf(event: NetworkEvent): readonly Change[] {
  switch (event.type) {
    case 'message':
      return [{ type: 'message', message: event.message, announce: true }]
    case 'revised':
      return [
        {
          type: 'message.update',
          messageids: [event.messageid],
          chat: event.chat,
          ...(event.byAdmin ? {} : { fromMe: event.fromMe, sender: event.sender }),
          set:
            event.change.kind === 'deleted'
              ? { status: 'deleted' }
              : {
                  content: event.change.content,
                  edited: { text: event.change.text, atMs: event.timestampMs },
                },
          announce: {
            type: event.change.kind === 'deleted' ? 'Deleted' : 'Edited',
            state: event.change.kind === 'deleted' ? 'Deleted' : 'Edited',
            event: {
              Chat: chatIdOf(event.chat),
              Sender: chatIdOf(event.sender),
              sender_pn: event.sender.pn ?? '',
              sender_lid: event.sender.lid ?? '',
              IsFromMe: event.fromMe,
              IsGroup: event.chat.group !== undefined,
              Timestamp: Math.floor(event.timestampMs / 1000),
              ...(event.change.kind === 'edited' ? { Text: event.change.text } : {}),
            },
          },
        },
      ]
    case 'tallied':
      return [tallyChange(event)]
    case 'receipt':
      return receiptChanges(event)
    case 'call':
      return [callChange(event)]
    case 'presence':
      return [
        {
          type: 'event',
          kind: 'presence',
          chat: event.chat,
          body: {
            event: {
              Chat: chatIdOf(event.chat),
              Sender: chatIdOf(event.sender),
              State: event.state,
              Unavailable: event.state === 'unavailable',
              ...(event.lastSeen === undefined ? {} : { LastSeen: event.lastSeen }),
            },
          },
        },
      ]
    case 'contacts':
      return event.contacts.map((contact) => ({ type: 'contact', contact, announce: true }))
    case 'chats':
      return event.chats.map((change) => ({ type: 'chat', ...change, announce: true }))
    case 'chatLabel':
      return [{ type: 'chat.label', chat: event.chat, labelid: event.labelid, isSet: event.isSet }]
    case 'label':
      return [{ type: 'label', label: event.label }]
    case 'quickReply':
      return [{ type: 'quickReply', quickReply: event.quickReply }]
    case 'blocklist':
      return [{ type: 'blocked', kind: 'list', people: event.blocked }]
    case 'blocked':
      return [
        { type: 'blocked', kind: event.isBlocked ? 'block' : 'unblock', people: [event.person] },
        {
          type: 'event',
          kind: 'blocks',
          chat: event.person,
          body: {
            event: {
              JID: chatIdOf(event.person),
              LID: event.person.lid ?? '',
              Action: event.isBlocked ? 'block' : 'unblock',
            },
          },
        },
      ]
    case 'group':
      return [{ type: 'group', kind: 'keep', group: event.group }, groupChat(event.group, event.isAdmin)]
    case 'groups':
      return [
        { type: 'group', kind: 'list', groups: event.groups },
        ...event.groups.map((group) => groupChat(group, event.adminOf.includes(group.jid))),
      ]
    case 'groupGone':
      return [{ type: 'group', kind: 'forget', jid: event.group }]
    case 'groupDoubt':
      return [{ type: 'group', kind: 'doubt', jid: event.group }]
    case 'groupNotice':
      return [noticeEvent(event)]
    case 'mappings':
      return event.mappings.map(({ lid, pn }) => ({ type: 'mapping', lid, pn }))
    case 'profileName':
      return [{ type: 'instance', set: { profileName: event.name } }]
    default:
      return []
  }
}

/** The poll's own row tells what it comes to: how many take each option in `vote`, and who in `content`. */
function tallyChange(event: Extract<NetworkEvent, { type: 'tallied' }>): Change {
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

/** What a chat shows of its group. */
function groupChat(group: GroupInfo, isAdmin: boolean): Change {
  const { name, isAnnounce, isParent, ephemeralSeconds } = group
  const set = {
    wa_isGroup: true,
    wa_isGroup_announce: isAnnounce,
    wa_isGroup_community: isParent,
    wa_isGroup_member: true,
    wa_isGroup_admin: isAdmin,
    wa_ephemeralExpiration: ephemeralSeconds,
    ...(name === '' ? {} : { name }),
  }
  return { type: 'chat', chat: { group: group.jid }, set, announce: true, known: true }
}

function noticeEvent({ notice, group }: Extract<NetworkEvent, { type: 'groupNotice' }>): Change {
  const people = (what: string) => notice.changes.flatMap((one) => (one.what === what ? (one.people ?? []) : []))
  return {
    type: 'event',
    kind: 'groups',
    chat: { group: notice.group },
    body: {
      event: {
        JID: notice.group,
        Sender: notice.sender === null ? '' : chatIdOf(notice.sender),
        sender_pn: notice.sender?.pn ?? '',
        sender_lid: notice.sender?.lid ?? '',
        Timestamp: Math.floor(notice.timestampMs / 1000),
        Changes: notice.changes.map(({ what }) => what),
        Join: people('add'),
        Leave: [...people('remove'), ...people('leave')],
        Promote: people('promote'),
        Demote: people('demote'),
      },
      ...(group === null
        ? {}
        : {
            group: {
              JID: group.jid,
              Name: group.name,
              Topic: group.topic,
              IsLocked: group.isLocked,
              IsAnnounce: group.isAnnounce,
              DisappearingTimer: group.ephemeralSeconds,
              ParticipantCount: group.participants.length,
            },
          }),
    },
  }
}

function receiptChanges(event: ReceiptEvent): readonly Change[] {
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

/**
 * History in bounded batches, so that the events of other instances do not wait behind it. Each batch becomes one event `history`
 * with the messages that were new.
 */
export async function recordHistory(journal: InstanceJournal, batch: HistoryBatch): Promise<void> {
  await journal.write(batch.mappings.map(({ lid, pn }) => ({ type: 'mapping' as const, lid, pn })))
  for (const contacts of chunks(batch.contacts))
    await journal.write(contacts.map((contact) => ({ type: 'contact' as const, contact, history: true })))
  for (const chats of chunks(batch.chats))
    await journal.write(chats.map(({ chat, set }) => ({ type: 'chat' as const, chat, set, history: true })))
  const parts = chunks(batch.messages)
  for (const [index, messages] of parts.entries()) {
    const { messages: stored } = await journal.write(
      messages.map((message) => ({ type: 'message' as const, message, announce: false, history: true })),
    )
    const told = [...stored.values()].filter(({ inserted }) => inserted || batch.isAgain)
    const records = told.map(({ record }) => record)
    const progress = batch.progressPercent === null ? {} : { progress: batch.progressPercent }
    await journal.write([
      {
        type: 'event',
        kind: 'history',
        body: { messages: records, batchNumber: index + 1, batchTotal: parts.length, ...progress },
      },
    ])
  }
}

function chunks<T>(list: readonly T[]): T[][] {
  const result: T[][] = []
  for (let start = 0; start < list.length; start += HISTORY_CHUNK) result.push(list.slice(start, start + HISTORY_CHUNK))
  return result
}
