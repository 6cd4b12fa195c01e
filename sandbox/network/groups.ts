/** Groups (`xmlns="w:g2"`): metadata, the list of own groups, and what members change. */
import { child, children, type Node, node } from '../wire/nodes.js'
import { changeGroup } from './group-changes.js'
import { handleGroupRequest, makeInviteCode } from './group-requests.js'
import type { Group } from './groups-model.js'
import { IqError } from './iq-error.js'
import type { Account, Session } from './model.js'
import type { Network } from './network.js'

export function handleGroups(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  if (child(iq, 'participating')) {
    const own = [...network.groups.values()].filter(({ members }) => members.has(account))
    return [node('groups', {}, own.map(groupNode))]
  }
  if (iq.attrs.to === '@g.us') return handleOwnGroups(network, account, iq)
  const group = network.groups.get(iq.attrs.to ?? '')
  if (!group) throw new IqError(404, 'item-not-found')
  const accept = child(iq, 'accept')
  if (accept) return [acceptInvite(network, group, account, accept)]
  if (!group.members.has(account)) throw new IqError(403, 'forbidden')
  if (child(iq, 'query')) return [groupNode(group)]
  return handleGroupRequest(network, group, account, iq)
}

/** Of the person alone for whom it is; the time and the admin must be those of the invitation. */
function acceptInvite(network: Network, group: Group, account: Account, { attrs }: Node): Node {
  const invite = group.personalInvites.get(attrs.code ?? '')
  if (invite?.account !== account || String(invite.expiresSeconds) !== attrs.expiration)
    throw new IqError(406, 'not-acceptable')
  const admin = network.directory.resolve(attrs.admin)?.account
  if (admin === undefined || !group.members.has(admin)) throw new IqError(406, 'not-acceptable')
  if (invite.expiresSeconds < Date.now() / 1000) throw new IqError(410, 'gone')
  if (group.members.has(account)) throw new IqError(409, 'conflict')
  group.personalInvites.delete(attrs.code ?? '')
  changeGroup(network, group, account, { add: [account] })
  return node('group', { jid: group.jid })
}

/** Making, joining and leaving groups, and a look at an invitation. */
function handleOwnGroups(network: Network, account: Account, iq: Node): Node[] {
  const create = child(iq, 'create')
  if (create) {
    const people = children(create, 'participant').flatMap(
      ({ attrs }) => network.directory.resolve(attrs.jid)?.account ?? [],
    )
    const group = createGroup(network, account, create.attrs.subject ?? '', people, 'lid')
    group.isParent = child(create, 'parent') !== undefined
    if (group.isParent) {
      group.approval = true
      const announcements = createGroup(network, account, group.subject, people, 'lid')
      Object.assign(announcements, { parent: group, isDefault: true, announcement: true })
      announceGroup(network, announcements)
    }
    announceGroup(network, group)
    return [groupNode(group)]
  }
  const leaving = children(child(iq, 'leave'), 'group')[0]
  if (leaving) {
    const group = network.groups.get(leaving.attrs.id ?? '')
    if (!group) throw new IqError(404, 'item-not-found')
    if (!group.members.has(account)) throw new IqError(403, 'forbidden')
    changeGroup(network, group, account, { leave: [account] })
    return [node('leave', {}, [node('group', { id: group.jid })])]
  }
  const invite = child(iq, 'invite')
  if (!invite) throw new IqError(501, 'feature-not-implemented')
  const group = [...network.groups.values()].find(({ inviteCode }) => inviteCode === invite.attrs.code)
  if (!group) throw new IqError(406, 'not-acceptable')
  const isLook = iq.attrs.type === 'get'
  const refusal = network.faults.invitationRefusal(account, isLook ? 'invitation-refused' : 'join-refused')
  if (refusal !== undefined) throw new IqError(refusal, 'refused')
  if (isLook) return [groupNode(group)]
  if (group.members.has(account)) throw new IqError(409, 'conflict')
  if (group.approval) {
    changeGroup(network, group, account, { ask: [account] })
    return [node('membership_approval_request', { jid: group.jid })]
  }
  changeGroup(network, group, account, { add: [account] })
  return [node('group', { jid: group.jid })]
}

/** Creates a group; its members hear of it from `announceGroup`. */
export function createGroup(
  network: Network,
  owner: Account,
  subject: string,
  members: readonly Account[],
  addressing: 'pn' | 'lid',
): Group {
  const createdSeconds = Math.floor(Date.now() / 1000)
  const unique = network.groups.size + 1
  const group: Group = {
    jid: `1203630000${String(createdSeconds).slice(-5)}${String(unique).padStart(3, '0')}@g.us`,
    subject,
    owner,
    createdSeconds,
    addressing,
    members: new Map([...members.map((member) => [member, 'member'] as const), [owner, 'superadmin'] as const]),
    announcement: false,
    locked: false,
    description: '',
    descriptionId: '',
    subjectBy: owner,
    subjectSeconds: createdSeconds,
    ephemeralSeconds: 0,
    memberAddMode: 'admin_add',
    inviteCode: makeInviteCode(),
    personalInvites: new Map(),
    picture: undefined,
    approval: false,
    requests: new Set(),
    isParent: false,
    parent: undefined,
    isDefault: false,
    membersVersion: 1,
  }
  network.groups.set(group.jid, group)
  return group
}

/** Tells all devices of all members, except the creating one, that the group is there. */
export function announceGroup(network: Network, group: Group): void {
  for (const member of group.members.keys()) {
    for (const device of member.devices.values()) {
      const attributes = {
        from: group.jid,
        type: 'w:gp2',
        id: network.makeId(),
        participant: group.owner.jid(group.addressing),
        t: String(group.createdSeconds),
        notify: group.owner.name,
      }
      network.deliver(device, node('notification', attributes, [node('create', { type: 'new' }, [groupNode(group)])]))
    }
  }
}

function groupNode(group: Group): Node {
  const other = group.addressing === 'lid' ? 'pn' : 'lid'
  const participants = [...group.members].map(([account, role]) =>
    node('participant', {
      jid: account.jid(group.addressing),
      [other === 'pn' ? 'phone_number' : 'lid']: account.jid(other),
      type: role === 'member' ? undefined : role,
      username: account.username === '' ? undefined : account.username,
    }),
  )
  const flags = [
    ...(group.announcement ? [node('announcement', {})] : []),
    ...(group.locked ? [node('locked', {})] : []),
    ...(group.ephemeralSeconds > 0 ? [node('ephemeral', { expiration: String(group.ephemeralSeconds) })] : []),
    ...(group.approval ? [node('membership_approval_mode', {}, [node('group_join', { state: 'on' })])] : []),
    ...(group.isParent ? [node('parent', { default_membership_approval_mode: 'request_required' })] : []),
    ...(group.parent ? [node('linked_parent', { jid: group.parent.jid })] : []),
    ...(group.isDefault ? [node('default_sub_group', {})] : []),
    node('member_add_mode', {}, Buffer.from(group.memberAddMode)),
    ...(group.description
      ? [node('description', { id: group.descriptionId }, [node('body', {}, Buffer.from(group.description))])]
      : []),
  ]
  return node(
    'group',
    {
      id: group.jid.slice(0, group.jid.indexOf('@')),
      subject: group.subject,
      s_o: group.subjectBy.jid(group.addressing),
      s_t: String(group.subjectSeconds),
      creator: group.owner.jid(group.addressing),
      creator_username: group.owner.username === '' ? undefined : group.owner.username,
      creation: String(group.createdSeconds),
      size: String(group.members.size),
      addressing_mode: group.addressing,
      p_v_id: String(group.membersVersion),
    },
    [...participants, ...flags],
  )
}
