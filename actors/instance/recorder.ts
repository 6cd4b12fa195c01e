import type { GroupInfo } from '../../schemas/group-info.js'
import {
  chatNames,
  type NamedPerson,
  type NamePerson,
  senderNames,
  toChatAddress,
  toChatId,
} from '../../schemas/jid.js'
import type { NetworkEvent } from '../network/port/events.js'
import type { GroupNotice } from '../network/port/groups.js'
import { callChange } from './calls.js'
import {
  noteChange,
  pinChanges,
  receiptChanges,
  refiledChange,
  revisionChange,
  sourceChanges,
  starChange,
  tallyChange,
  voteChange,
} from './message-changes.js'
import type { Change } from './ports.js'

/** Maps facts of the network to durable changes. Synchronous, so that they are in the journal before the network can hear of them. */
export function translateEvent(event: NetworkEvent): readonly Change[] {
  switch (event.type) {
    case 'message':
      return [
        { type: 'message', message: event.message, announce: event.message.isQuiet !== true },
        ...sourceChanges(event.message),
        ...pinChanges(event.message),
      ]
    case 'note':
      return [{ type: 'message', message: event.message, announce: true }]
    case 'noteSettled':
      return [noteChange(event)]
    case 'unreadable':
      return [placeholderChange(event)]
    case 'contentLost':
      return [lossChange(event)]
    case 'revised':
      return [revisionChange(event)]
    case 'refiled':
      return [refiledChange(event)]
    case 'voteRead':
      return [voteChange(event)]
    case 'tallied':
      return [tallyChange(event)]
    case 'receipt':
      return receiptChanges(event)
    case 'channelCounts':
      return countChanges(event)
    case 'call':
      return [callChange(event)]
    case 'presence':
      return [presenceEvent(event)]
    case 'contacts':
      return event.contacts.map((contact) => ({ type: 'contact', contact, announce: true }))
    case 'chats':
      return event.chats.map((change) => ({ type: 'chat', ...change, announce: true }))
    case 'starred':
      return [starChange(event)]
    case 'chatLabel':
      return [{ type: 'chat.label', chat: event.chat, labelid: event.labelid, isSet: event.isSet }]
    case 'label':
      return [{ type: 'label', label: event.label }]
    case 'quickReply':
      return [{ type: 'quickReply', quickReply: event.quickReply }]
    case 'blocklist':
      return [{ type: 'blocked', kind: 'list', people: event.blocked }]
    case 'blocked':
      return blockChanges(event)
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
    case 'ownUsername':
      return [{ type: 'instance', set: { profileUsername: event.username } }]
    default:
      return []
  }
}

/** Stores the counts, and tells of them in the lane of the channel. */
function countChanges({ channel, posts }: Extract<NetworkEvent, { type: 'channelCounts' }>): readonly Change[] {
  const event = { Chat: channel, Posts: posts }
  return [
    { type: 'channel.counts', channel, posts },
    {
      type: 'event',
      kind: 'newsletter_messages',
      chat: { group: channel },
      body: { type: 'Counts', state: 'Counts', event },
    },
  ]
}

function presenceEvent({ chat, sender, state, lastSeen }: Extract<NetworkEvent, { type: 'presence' }>): Change {
  const rest = {
    State: state,
    Unavailable: state === 'unavailable',
    ...(lastSeen === undefined ? {} : { LastSeen: lastSeen }),
  }
  return {
    type: 'event',
    kind: 'presence',
    chat,
    people: [chat, sender],
    body: (named) => ({ event: { ...chatNames(named(chat)), ...senderNames(named(sender)), ...rest } }),
  }
}

function blockChanges({ person, isBlocked }: Extract<NetworkEvent, { type: 'blocked' }>): readonly Change[] {
  const action = isBlocked ? 'block' : 'unblock'
  return [
    { type: 'blocked', kind: action, people: [person] },
    {
      type: 'event',
      kind: 'blocks',
      chat: person,
      people: [person],
      body: (named) => {
        const known = named(person)
        return { event: { JID: toChatId(known), LID: known.lid ?? '', Username: known.username ?? '', Action: action } }
      },
    },
  ]
}

// Records of messages whose content has not come.

type Loss = Extract<NetworkEvent, { type: 'contentLost' }>

/** Sentences of `error` for each reason. */
const ERRORS: Readonly<Record<Loss['reason'], string>> = {
  no_answer: 'The phone did not send the content of this message.',
  not_on_phone: 'The phone does not have the content of this message either.',
  no_message: 'This was a change of the chat and no message.',
}

/**
 * Stores the place of a message. While its content may come, the event is `messages_update`: `messages` is emitted with the content, once. A
 * message whose content never comes is emitted as `messages` at once.
 */
function placeholderChange({
  message,
  waits,
}: Extract<NetworkEvent, { type: 'unreadable' }>): Extract<Change, { type: 'message' }> {
  if (!waits) return { type: 'message', message, announce: true }
  const { chat, fromMe, isGroup, messageTimestampMs, sender, senderPn, senderLid, content } = message
  const person = toChatAddress(senderPn ?? sender, senderLid)
  const update = {
    type: 'Unreadable',
    state: 'Waiting',
    people: [chat, person],
    event: (named) => ({
      ...chatNames(named(chat)),
      ...senderNames(named(person)),
      IsFromMe: fromMe,
      IsGroup: isGroup,
      Timestamp: Math.floor(messageTimestampMs / 1000),
      reason: (content as { reason: string }).reason,
    }),
  } satisfies Extract<Change, { type: 'message' }>['update']
  return { type: 'message', message, announce: true, update }
}

/** Notes that the content of a message will not come. What was no message is marked as deleted. */
function lossChange({ messageid, chat, fromMe, reason }: Loss): Change {
  const isMessage = reason !== 'no_message'
  return {
    type: 'message.update',
    messageids: [messageid],
    chat,
    fromMe,
    onlyType: 'unreadable',
    set: {
      error: ERRORS[reason],
      content: { reason, state: 'unavailable' },
      ...(isMessage
        ? { text: 'The content of this message did not arrive. Open it on the phone.' }
        : { status: 'deleted' }),
    },
    ...(isMessage ? {} : { lowersUnread: true }),
    announce: {
      type: 'Unreadable',
      state: isMessage ? 'Unavailable' : 'Deleted',
      people: [chat],
      event: (named) => ({ ...chatNames(named(chat)), IsFromMe: fromMe, IsGroup: chat.group !== undefined, reason }),
    },
  }
}

/** Returns the fields that a chat shows of its group. */
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

/** Makes the event `groups` of a change that the network announced. */
function noticeEvent({ notice, group }: Extract<NetworkEvent, { type: 'groupNotice' }>): Change {
  const { sender } = notice
  const peopleOfAll = notice.changes.flatMap(({ people = [] }) => people)
  return {
    type: 'event',
    kind: 'groups',
    chat: { group: notice.group },
    people: [...(sender === null ? [] : [sender]), ...peopleOfAll],
    body: (named) => ({
      event: {
        JID: notice.group,
        ...(sender === null
          ? { Sender: '', sender_pn: '', sender_lid: '', sender_username: '' }
          : senderNames(named(sender))),
        Timestamp: Math.floor(notice.timestampMs / 1000),
        Changes: notice.changes.map(({ what }) => what),
        ...memberLists(notice, named),
        Members: peopleOfAll.map((one) => memberNames(named(one))),
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
    }),
  }
}

function memberLists({ changes }: GroupNotice, named: NamePerson) {
  const jids = (...whats: readonly string[]) =>
    changes.flatMap(({ what, people = [] }) => (whats.includes(what) ? people.map((one) => toChatId(named(one))) : []))
  return { Join: jids('add'), Leave: jids('remove', 'leave'), Promote: jids('promote'), Demote: jids('demote') }
}

function memberNames(member: NamedPerson) {
  return { JID: toChatId(member), pn: member.pn ?? '', lid: member.lid ?? '', username: member.username ?? '' }
}
