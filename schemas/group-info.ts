/** A group as it is known: plain data that is kept, travels between nodes and becomes the group record. */
import type { Jid } from './ids.js'
import { readUser } from './jid.js'

export interface GroupInfo {
  readonly jid: Jid
  readonly name: string
  /** Times are Unix seconds; 0 when not told. */
  readonly nameSetAt: number
  readonly nameSetBy: string
  readonly nameSetByPn: string
  readonly owner: string
  readonly ownerPn: string
  readonly created: number
  readonly countryCode: string
  readonly topic: string
  readonly topicId: string
  readonly topicSetAt: number
  readonly topicSetBy: string
  readonly isLocked: boolean
  readonly isAnnounce: boolean
  readonly announceVersionId: string
  readonly ephemeralSeconds: number
  readonly isIncognito: boolean
  readonly isParent: boolean
  readonly isDefaultSubGroup: boolean
  readonly isJoinApprovalRequired: boolean
  readonly linkedParent: string
  readonly memberAddMode: string
  readonly addressingMode: 'pn' | 'lid'
  readonly participantVersionId: string
  readonly participants: readonly GroupMember[]
}

export interface GroupMember {
  /** As the group addresses them: a number's JID or a LID. */
  readonly jid: Jid
  /** The other address, when the network gives it. */
  readonly other: Jid | null
  readonly role: 'member' | 'admin' | 'superadmin'
}

/** The member who has one of these addresses. */
export function findMember(group: GroupInfo, jids: readonly (string | undefined)[]): GroupMember | undefined {
  const users = jids.flatMap((jid) => (jid === undefined ? [] : [readUser(jid)]))
  return group.participants.find(({ jid, other }) =>
    [jid, other].some((one) => one !== null && users.includes(readUser(one))),
  )
}

/** The record of the interface; `owner`: digits of the instance's own number. */
export function groupRecord(group: GroupInfo, owner: string): Record<string, unknown> {
  const us = findMember(group, [`${owner}@s.whatsapp.net`])
  const isAdmin = us !== undefined && us.role !== 'member'
  return {
    JID: group.jid,
    OwnerJID: group.owner,
    OwnerPN: group.ownerPn,
    Name: group.name,
    NameSetAt: dateTime(group.nameSetAt),
    NameSetBy: group.nameSetBy,
    NameSetByPN: group.nameSetByPn,
    Topic: group.topic,
    TopicID: group.topicId,
    TopicSetAt: dateTime(group.topicSetAt),
    TopicSetBy: group.topicSetBy,
    TopicDeleted: group.topic === '' && group.topicSetAt > 0,
    IsLocked: group.isLocked,
    IsAnnounce: group.isAnnounce,
    AnnounceVersionID: group.announceVersionId,
    IsEphemeral: group.ephemeralSeconds > 0,
    DisappearingTimer: group.ephemeralSeconds,
    IsIncognito: group.isIncognito,
    IsParent: group.isParent,
    IsJoinApprovalRequired: group.isJoinApprovalRequired,
    LinkedParentJID: group.linkedParent,
    IsDefaultSubGroup: group.isDefaultSubGroup,
    DefaultSubGroupId: '',
    GroupCreated: dateTime(group.created),
    CreatorCountryCode: group.countryCode,
    ParticipantVersionID: group.participantVersionId,
    ParticipantCount: group.participants.length,
    Participants: group.participants.map(participantRecord),
    AddressingMode: group.addressingMode,
    MemberAddMode: group.memberAddMode,
    OwnerCanSendMessage: us !== undefined && (isAdmin || !group.isAnnounce),
    OwnerIsAdmin: isAdmin,
    invite_link: '',
    request_participants: '',
  }
}

/** Returns both addresses of a member; empty where one is not known. */
export function memberAddresses({ jid, other }: GroupMember): { lid: string; pn: string } {
  const both = other === null ? [jid] : [jid, other]
  return {
    lid: both.find((one) => one.endsWith('@lid')) ?? '',
    pn: both.find((one) => one.endsWith('@s.whatsapp.net')) ?? '',
  }
}

function participantRecord(member: GroupMember): Record<string, unknown> {
  const { jid, role } = member
  const { lid, pn } = memberAddresses(member)
  return {
    JID: jid,
    LID: lid,
    PhoneNumber: pn,
    IsAdmin: role !== 'member',
    IsSuperAdmin: role === 'superadmin',
    DisplayName: '',
    Error: 0,
  }
}

/** The zero time of the interface's records is the beginning of 1970. */
function dateTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Changes of a group. */

type MemberAddMode = 'admin_add' | 'all_member_add'

/** `approve` and `reject` are of those who ask to come in. */
export type MemberAction = 'add' | 'remove' | 'promote' | 'demote' | 'approve' | 'reject'

export type GroupChange =
  | { readonly kind: 'announce' | 'locked' | 'approval'; readonly isSet: boolean }
  /** The right to add members. */
  | { readonly kind: 'memberAdd'; readonly mode: MemberAddMode }
  /** Messages disappear after so long; 0 is never. */
  | { readonly kind: 'ephemeral'; readonly seconds: number }
  | { readonly kind: 'name'; readonly name: string }
  /** JPEG of 640 by 640 pixels, base64; null takes it away. */
  | { readonly kind: 'picture'; readonly jpeg: string | null }
  /** Empty takes it away. */
  | { readonly kind: 'topic'; readonly topic: string }
  | {
      readonly kind: 'members'
      readonly action: MemberAction
      readonly people: readonly Jid[]
    }
