import { chatIdOf } from '../../schemas/jid.js'
import { chatNames, senderNames } from '../../schemas/named-person.js'
import type { NetworkEvent } from '../network/port/events.js'
import { callChange } from './calls.js'
import { groupChat, noticeEvent } from './group-changes.js'
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
import { lossChange, placeholderChange } from './placeholder-changes.js'
import type { Change } from './ports.js'

/** Maps facts of the network to durable changes. Synchronous, so that they are in the journal before the network can hear of them. */
export function changesOf(event: NetworkEvent): readonly Change[] {
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
        return { event: { JID: chatIdOf(known), LID: known.lid ?? '', Username: known.username ?? '', Action: action } }
      },
    },
  ]
}
