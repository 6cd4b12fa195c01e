/** Handles changes that a member makes in a group, and notifies the others. */
import { type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Group } from './groups-model.js'
import type { Account } from './model.js'
import type { Network } from './network.js'

export interface GroupChange {
  readonly subject?: string | undefined
  readonly announcement?: boolean | undefined
  readonly locked?: boolean | undefined
  readonly approval?: boolean | undefined
  /** Empty takes it away. */
  readonly description?: string | undefined
  readonly descriptionId?: string
  readonly ephemeralSeconds?: number | undefined
  readonly memberAddMode?: Group['memberAddMode']
  /** Comes to a community; null leaves it. */
  readonly parent?: Group | null
  readonly add?: readonly Account[]
  /** They ask to come in, by the invitation. */
  readonly ask?: readonly Account[]
  readonly remove?: readonly Account[]
  readonly leave?: readonly Account[]
  readonly promote?: readonly Account[]
  readonly demote?: readonly Account[]
}

/** Tells members of a change, in the name of its author; without `isFor` all members. */
type Tell = (what: Node, isFor?: (member: Account) => boolean) => void

/** Every member hears of each change, also one who is put out by it. */
export function changeGroup(network: Network, group: Group, author: Account, change: GroupChange): void {
  const tell: Tell = (what, isFor = () => true) => {
    for (const member of group.members.keys()) {
      if (!isFor(member)) continue
      for (const device of member.devices.values()) {
        const attributes = {
          from: group.jid,
          type: 'w:gp2',
          id: network.makeId(),
          participant: author.jid(group.addressing),
          t: nowSeconds(),
          notify: author.name,
        }
        network.deliver(device, node('notification', attributes, [what]))
      }
    }
  }
  changeSettings(group, author, change, tell)
  changeMembers(group, change, tell)
}

function changeSettings(group: Group, author: Account, change: GroupChange, tell: Tell): void {
  if (change.subject !== undefined) {
    group.subject = change.subject
    group.subjectBy = author
    group.subjectSeconds = Number(nowSeconds())
    tell(node('subject', { subject: change.subject, s_o: author.jid(group.addressing), s_t: nowSeconds() }))
  }
  if (change.description !== undefined) {
    group.description = change.description
    group.descriptionId = change.description === '' ? '' : (change.descriptionId ?? 'D')
    const isGone = change.description === ''
    const body = isGone ? [node('delete', {})] : [node('body', {}, Buffer.from(change.description))]
    tell(node('description', { id: group.descriptionId }, body))
  }
  if (change.announcement !== undefined) {
    group.announcement = change.announcement
    tell(node(change.announcement ? 'announcement' : 'not_announcement', {}))
  }
  if (change.locked !== undefined) {
    group.locked = change.locked
    tell(node(change.locked ? 'locked' : 'unlocked', {}))
  }
  if (change.approval !== undefined) {
    group.approval = change.approval
    const state = node('group_join', { state: change.approval ? 'on' : 'off' })
    tell(node('membership_approval_mode', {}, [state]))
  }
  if (change.memberAddMode !== undefined) {
    group.memberAddMode = change.memberAddMode
    tell(node('member_add_mode', {}, Buffer.from(change.memberAddMode)))
  }
  if (change.ephemeralSeconds !== undefined) {
    const { ephemeralSeconds } = change
    group.ephemeralSeconds = ephemeralSeconds
    tell(ephemeralSeconds > 0 ? node('ephemeral', { expiration: String(ephemeralSeconds) }) : node('not_ephemeral', {}))
  }
  if (change.parent !== undefined) {
    const [tag, of] = change.parent === null ? ['unlink', group.parent] : ['link', change.parent]
    group.parent = change.parent ?? undefined
    tell(node(tag, { [`${tag}_type`]: 'parent_group' }, [node('group', { jid: of?.jid })]))
  }
}

function changeMembers(group: Group, change: GroupChange, tell: Tell): void {
  const { ask = [], add = [], remove = [], leave = [], promote = [], demote = [] } = change
  for (const account of ask) group.requests.add(account)
  if (ask.length > 0) {
    const users = ask.map((account) => node('requested_user', { jid: account.jid(group.addressing) }))
    tell(node('created_membership_requests', { request_method: 'InviteLink' }, users), isAdmin)
  }
  for (const account of add) {
    group.members.set(account, 'member')
    group.requests.delete(account)
  }
  tellAbout('add', add)
  for (const account of promote) group.members.set(account, 'admin')
  tellAbout('promote', promote)
  for (const account of demote) group.members.set(account, 'member')
  tellAbout('demote', demote)
  tellAbout('remove', remove)
  tellAbout('leave', leave)
  for (const account of [...remove, ...leave]) group.members.delete(account)

  function tellAbout(tag: string, accounts: readonly Account[]): void {
    if (accounts.length === 0) return
    const other = group.addressing === 'lid' ? 'pn' : 'lid'
    const participants = accounts.map((account) =>
      node('participant', {
        jid: account.jid(group.addressing),
        [other === 'pn' ? 'phone_number' : 'lid']:
          other === 'pn' && account.hidesNumber ? undefined : account.jid(other),
        participant_username: account.username === '' ? undefined : account.username,
      }),
    )
    const before = String(group.membersVersion)
    group.membersVersion += 1
    tell(node(tag, { prev_v_id: before, v_id: String(group.membersVersion) }, participants))
  }

  function isAdmin(member: Account): boolean {
    return group.members.get(member) !== 'member'
  }
}
