import type { GroupInfo } from '../../schemas/group-info.js'
import { chatIdOf } from '../../schemas/jid.js'
import type { NetworkEvent } from '../network/port/events.js'
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
