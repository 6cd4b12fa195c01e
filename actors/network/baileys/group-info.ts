import type { BinaryNode } from '@whiskeysockets/baileys'
import type { GroupInfo, GroupMember } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, readUser } from '../../../schemas/jid.js'
import { children, findChild } from './child-nodes.js'

/** Reads a `<group>` of the network. Form: `group.go` of whatsmeow, `parseGroupNode`. */
export function readGroupInfo(group: BinaryNode): GroupInfo {
  const { attrs } = group
  const id = attrs.id ?? ''
  const description = findChild(group, 'description')
  const approval = findChild(findChild(group, 'membership_approval_mode'), 'group_join')
  return {
    jid: (id.includes('@') ? id : `${id}@g.us`) as Jid,
    name: attrs.subject ?? '',
    nameSetAt: Number(attrs.s_t) || 0,
    nameSetBy: bare(attrs.s_o),
    nameSetByPn: bare(attrs.s_o_pn),
    owner: bare(attrs.creator),
    ownerPn: bare(attrs.creator_pn),
    created: Number(attrs.creation) || 0,
    countryCode: attrs.creator_country_code ?? '',
    ...readTopic(description),
    isLocked: findChild(group, 'locked') !== undefined,
    isAnnounce: findChild(group, 'announcement') !== undefined,
    announceVersionId: attrs.a_v_id ?? '',
    ephemeralSeconds: Number(findChild(group, 'ephemeral')?.attrs.expiration) || 0,
    isIncognito: findChild(group, 'incognito') !== undefined,
    isParent: findChild(group, 'parent') !== undefined,
    isDefaultSubGroup: findChild(group, 'default_sub_group') !== undefined,
    isJoinApprovalRequired: approval?.attrs.state === 'on',
    linkedParent: findChild(group, 'linked_parent')?.attrs.jid ?? '',
    memberAddMode: readText(findChild(group, 'member_add_mode')),
    addressingMode: attrs.addressing_mode === 'lid' ? 'lid' : 'pn',
    participantVersionId: attrs.p_v_id ?? '',
    participants: readParticipants(group),
  }
}

/** State of a group after a change. `gone`: the account left it. `doubt`: the change is of an unknown kind. */
export type Changed = GroupInfo | 'gone' | 'doubt'

/** Applies a notification about a group (`w:gp2`). Forms: `group.go` of whatsmeow, `parseGroupChange`. */
export function changedBy(before: GroupInfo, notification: BinaryNode, own: readonly (string | null)[]): Changed {
  let group: Changed = before
  for (const change of children(notification)) {
    if (typeof group === 'string') return group
    group = changed(group, change, notification.attrs, own)
  }
  return group
}

function changed(
  group: GroupInfo,
  change: BinaryNode,
  { participant, t }: BinaryNode['attrs'],
  own: readonly (string | null)[],
): Changed {
  const { attrs, tag } = change
  switch (tag) {
    case 'subject':
      return {
        ...group,
        name: attrs.subject ?? '',
        nameSetAt: Number(attrs.s_t) || Number(t) || 0,
        nameSetBy: bare(attrs.s_o) || bare(participant),
        nameSetByPn: bare(attrs.s_o_pn),
      }
    case 'description':
      return {
        ...group,
        ...readTopic(change),
        topicSetAt: Number(attrs.t) || Number(t) || 0,
        topicSetBy: bare(attrs.participant) || bare(participant),
      }
    case 'announcement':
    case 'not_announcement':
      return {
        ...group,
        isAnnounce: tag === 'announcement',
        announceVersionId: attrs.v_id ?? group.announceVersionId,
      }
    case 'locked':
    case 'unlocked':
      return { ...group, isLocked: tag === 'locked' }
    case 'ephemeral':
      return { ...group, ephemeralSeconds: Number(attrs.expiration) || 0 }
    case 'not_ephemeral':
      return { ...group, ephemeralSeconds: 0 }
    case 'membership_approval_mode':
      return { ...group, isJoinApprovalRequired: findChild(change, 'group_join')?.attrs.state === 'on' }
    case 'member_add_mode':
      return { ...group, memberAddMode: readText(change) }
    case 'add':
    case 'remove':
    case 'leave':
    case 'promote':
    case 'demote':
      return withMembers(group, tag, readParticipants(change), attrs, own)
    case 'delete':
      return 'gone'
    // These change nothing that is kept.
    case 'invite':
    case 'membership_approval_request':
    case 'created_membership_requests':
    case 'revoked_membership_requests':
      return group
    default:
      return 'doubt'
  }
}

function withMembers(
  group: GroupInfo,
  tag: 'add' | 'remove' | 'leave' | 'promote' | 'demote',
  named: readonly GroupMember[],
  { prev_v_id, v_id }: BinaryNode['attrs'],
  own: readonly (string | null)[],
): Changed {
  const isOut = tag === 'remove' || tag === 'leave'
  const users = own.flatMap((jid) => (jid === null ? [] : [readUser(jid)]))
  const isUs = ({ jid, other }: GroupMember) =>
    users.includes(readUser(jid)) || (other !== null && users.includes(readUser(other)))
  if (isOut && named.some(isUs)) return 'gone'
  // An earlier change was missed.
  if (prev_v_id !== undefined && group.participantVersionId !== '' && prev_v_id !== group.participantVersionId)
    return 'doubt'
  const isNamed = ({ jid }: GroupMember) => named.some((one) => one.jid === jid)
  const others = group.participants.filter((member) => !isNamed(member))
  const participants =
    tag === 'add'
      ? [...others, ...named]
      : isOut
        ? others
        : group.participants.map((member) =>
            isNamed(member)
              ? { ...member, role: tag === 'promote' ? ('admin' as const) : ('member' as const) }
              : member,
          )
  return { ...group, participants, participantVersionId: v_id ?? group.participantVersionId }
}

function readTopic(description: BinaryNode | undefined) {
  const { attrs } = description ?? { attrs: {} as BinaryNode['attrs'] }
  return {
    topic: readText(findChild(description, 'body')),
    topicId: attrs.id ?? '',
    topicSetAt: Number(attrs.t) || 0,
    topicSetBy: bare(attrs.participant),
  }
}

function readParticipants(parent: BinaryNode): GroupMember[] {
  return children(parent).flatMap(({ tag, attrs }) => {
    if (tag !== 'participant' || attrs.jid === undefined) return []
    const other = attrs.jid.endsWith('@lid') ? attrs.phone_number : attrs.lid
    const role = attrs.type === 'superadmin' ? 'superadmin' : attrs.type === 'admin' ? 'admin' : 'member'
    return [{ jid: bareJid(attrs.jid), other: other === undefined ? null : bareJid(other), role }]
  })
}

function bare(jid: string | undefined): string {
  return jid === undefined || jid === '' ? '' : bareJid(jid)
}

function readText(leaf: BinaryNode | undefined): string {
  const content = leaf?.content
  if (content === undefined || Array.isArray(content)) return ''
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8')
}
