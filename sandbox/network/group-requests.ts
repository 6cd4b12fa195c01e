/** Handles requests of a member about a group. */
import { randomBytes } from 'node:crypto'
import { child, children, type Node, node, text } from '../wire/nodes.js'
import { changeGroup, type GroupChange } from './group-changes.js'
import type { Group } from './groups-model.js'
import { IqError } from './iq-error.js'
import type { Account } from './model.js'
import type { Network } from './network.js'
import { findPrivacy } from './settings.js'

const MEMBERS_MAX = 1_024

/** The content of the answer. */
export function handleGroupRequest(network: Network, group: Group, account: Account, iq: Node): Node[] {
  const isAdmin = group.members.get(account) !== 'member'
  const invite = child(iq, 'invite')
  if (invite) {
    if (!isAdmin) throw new IqError(401, 'not-authorized')
    if (iq.attrs.type === 'set') group.inviteCode = makeInviteCode()
    return [node('invite', { code: group.inviteCode })]
  }
  if (child(iq, 'membership_approval_requests')) {
    if (!isAdmin) throw new IqError(403, 'forbidden')
    const requests = [...group.requests].map((person) =>
      node('membership_approval_request', { jid: person.jid(group.addressing), request_method: 'InviteLink' }),
    )
    return [node('membership_approval_requests', {}, requests)]
  }
  const [asked] = children(iq)
  if (!asked || iq.attrs.type !== 'set') throw new IqError(501, 'feature-not-implemented')
  const isOpen = isOpenTo(group, asked.tag)
  if (!isAdmin && !isOpen) throw new IqError(403, 'forbidden')
  if (['add', 'remove', 'promote', 'demote'].includes(asked.tag)) return [changeMembers(network, group, account, asked)]
  if (asked.tag === 'links' || asked.tag === 'unlink') return [linkGroups(network, group, account, asked)]
  if (asked.tag === 'membership_requests_action') return [answerRequests(network, group, account, asked)]
  changeGroup(network, group, account, readChange(group, asked))
  return []
}

/** Rights of members who are not admins. */
function isOpenTo(group: Group, tag: string): boolean {
  if (tag === 'add') return group.memberAddMode === 'all_member_add'
  return ['subject', 'description', 'ephemeral', 'not_ephemeral'].includes(tag) && !group.locked
}

function readChange(group: Group, { tag, attrs, ...asked }: Node): GroupChange {
  switch (tag) {
    case 'subject':
      return { subject: text({ tag, attrs, ...asked }) }
    case 'announcement':
    case 'not_announcement':
      return { announcement: tag === 'announcement' }
    case 'locked':
    case 'unlocked':
      return { locked: tag === 'locked' }
    case 'membership_approval_mode':
      return { approval: child({ tag, attrs, ...asked }, 'group_join')?.attrs.state === 'on' }
    case 'member_add_mode': {
      const memberAddMode = text({ tag, attrs, ...asked })
      if (memberAddMode !== 'admin_add' && memberAddMode !== 'all_member_add') throw new IqError(400, 'bad-request')
      return { memberAddMode }
    }
    case 'ephemeral':
    case 'not_ephemeral':
      return { ephemeralSeconds: tag === 'ephemeral' ? Number(attrs.expiration) : 0 }
    case 'description':
      if (group.descriptionId !== (attrs.prev ?? '')) throw new IqError(409, 'conflict')
      return { description: text(child({ tag, attrs, ...asked }, 'body')), descriptionId: attrs.id ?? '' }
    default:
      throw new IqError(501, 'feature-not-implemented')
  }
}

/** Each person has an answer of their own: 404 is not in the group, 409 is in it already. */
function changeMembers(network: Network, group: Group, account: Account, asked: Node): Node {
  const tag = asked.tag as 'add' | 'remove' | 'promote' | 'demote'
  const done: Account[] = []
  const results = children(asked, 'participant').map(({ attrs }) => {
    const person = network.directory.resolve(attrs.jid)?.account
    const isIn = person !== undefined && group.members.has(person)
    const error = person === undefined ? 404 : tag === 'add' && isIn ? 409 : tag !== 'add' && !isIn ? 404 : undefined
    if (person !== undefined && error === undefined && tag === 'add' && findPrivacy(person, 'groupadd') === 'none')
      return node('participant', { jid: attrs.jid, error: '403' }, [personalInvite(group, person)])
    if (error === undefined && person !== undefined) done.push(person)
    return node('participant', { jid: attrs.jid, error: error === undefined ? undefined : String(error) })
  })
  if (group.members.size + done.length > MEMBERS_MAX) throw new IqError(419, 'resource-limit')
  changeGroup(network, group, account, { [tag]: done })
  return node(tag, {}, results)
}

/** Lasts three days, as at the network. */
function personalInvite(group: Group, account: Account): Node {
  const code = makeInviteCode()
  const expiresSeconds = Math.floor(Date.now() / 1000) + 3 * 86_400
  group.personalInvites.set(code, { account, expiresSeconds })
  return node('add_request', { code, expiration: String(expiresSeconds) })
}

/** Groups come to a community, or leave it; the account must be an admin of each. */
function linkGroups(network: Network, community: Group, account: Account, asked: Node): Node {
  if (!community.isParent) throw new IqError(405, 'not-allowed')
  const isLinked = asked.tag === 'links'
  const link = isLinked ? child(asked, 'link') : asked
  // The one kind that clients ask for (`communityLinkGroup` and `communityUnlinkGroup` of Baileys).
  if (link?.attrs[isLinked ? 'link_type' : 'unlink_type'] !== 'sub_group') throw new IqError(400, 'bad-request')
  for (const { attrs } of children(link, 'group')) {
    const group = network.groups.get(attrs.jid ?? '')
    if (!group) throw new IqError(404, 'item-not-found')
    if ((group.members.get(account) ?? 'member') === 'member') throw new IqError(403, 'forbidden')
    if ((group.parent === community) === isLinked || group.isParent || group.isDefault)
      throw new IqError(409, 'conflict')
    changeGroup(network, group, account, { parent: isLinked ? community : null })
  }
  return node(asked.tag, {})
}

/** Approves or rejects who asked to come in; 404 did not ask. */
function answerRequests(network: Network, group: Group, account: Account, asked: Node): Node {
  const [action] = children(asked)
  if (action?.tag !== 'approve' && action?.tag !== 'reject') throw new IqError(400, 'bad-request')
  const answered: Account[] = []
  const results = children(action, 'participant').map(({ attrs }) => {
    const person = network.directory.resolve(attrs.jid)?.account
    const hasAsked = person !== undefined && group.requests.delete(person)
    if (hasAsked) answered.push(person)
    return node('participant', { jid: attrs.jid, error: hasAsked ? undefined : '404' })
  })
  if (action.tag === 'approve') changeGroup(network, group, account, { add: answered })
  return node('membership_requests_action', {}, [node(action.tag, {}, results)])
}

export function makeInviteCode(): string {
  return randomBytes(16).toString('base64url')
}
