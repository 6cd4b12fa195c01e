import type { GroupInfo } from '../../schemas/group-info.js'
import { chatIdOf } from '../../schemas/jid.js'
import { type NamedPerson, type NamePerson, senderNames } from '../../schemas/named-person.js'
import type { NetworkEvent } from '../network/port/events.js'
import type { GroupNotice } from '../network/port/groups.js'
import type { Change } from './ports.js'

/** Returns the fields that a chat shows of its group. */
export function groupChat(group: GroupInfo, isAdmin: boolean): Change {
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
export function noticeEvent({ notice, group }: Extract<NetworkEvent, { type: 'groupNotice' }>): Change {
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
    changes.flatMap(({ what, people = [] }) => (whats.includes(what) ? people.map((one) => chatIdOf(named(one))) : []))
  return { Join: jids('add'), Leave: jids('remove', 'leave'), Promote: jids('promote'), Demote: jids('demote') }
}

function memberNames(member: NamedPerson) {
  return { JID: chatIdOf(member), pn: member.pn ?? '', lid: member.lid ?? '', username: member.username ?? '' }
}
