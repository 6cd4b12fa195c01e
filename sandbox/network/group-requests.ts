/** What a member asks of a group over the wire. */
import { randomBytes } from 'node:crypto'
import { child, children, type Node, node, text } from '../wire/nodes.js'
import { changeGroup, type GroupChange } from './group-changes.js'
import type { Group } from './groups-model.js'
import { IqError } from './iq-error.js'
import type { Account } from './model.js'
import type { Network } from './network.js'

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
  const [asked] = children(iq)
  if (!asked || iq.attrs.type !== 'set') throw new IqError(501, 'feature-not-implemented')
  const isOpen = ['subject', 'description'].includes(asked.tag) && !group.locked
  if (!isAdmin && !isOpen) throw new IqError(403, 'forbidden')
  if (['add', 'remove', 'promote', 'demote'].includes(asked.tag)) return [changeMembers(network, group, account, asked)]
  changeGroup(network, group, account, changeOf(group, asked))
  return []
}

function changeOf(group: Group, { tag, attrs, ...asked }: Node): GroupChange {
  switch (tag) {
    case 'subject':
      return { subject: text({ tag, attrs, ...asked }) }
    case 'announcement':
    case 'not_announcement':
      return { announcement: tag === 'announcement' }
    case 'locked':
    case 'unlocked':
      return { locked: tag === 'locked' }
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
    if (error === undefined && person !== undefined) done.push(person)
    return node('participant', { jid: attrs.jid, error: error === undefined ? undefined : String(error) })
  })
  if (group.members.size + done.length > MEMBERS_MAX) throw new IqError(419, 'resource-limit')
  changeGroup(network, group, account, { [tag]: done })
  return node(tag, {}, results)
}

export function makeInviteCode(): string {
  return randomBytes(16).toString('base64url')
}
