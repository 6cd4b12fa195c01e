import type { BinaryNode } from '@whiskeysockets/baileys'
import type { GroupChange, MemberAction } from '../../../schemas/group-change.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'

/** Makes the request for a change of a group. A new description needs the group, because it names the description before it. */
export function requestOf(
  change: Exclude<GroupChange, { readonly kind: 'picture' }>,
  group: GroupInfo | null,
): BinaryNode {
  switch (change.kind) {
    case 'announce':
      return { tag: change.isSet ? 'announcement' : 'not_announcement', attrs: {} }
    case 'locked':
      return { tag: change.isSet ? 'locked' : 'unlocked', attrs: {} }
    case 'name':
      return { tag: 'subject', attrs: {}, content: Buffer.from(change.name) }
    case 'topic': {
      const id = newKey()
      const prev = group?.topicId ? { prev: group.topicId } : {}
      if (change.topic === '') return { tag: 'description', attrs: { delete: 'true', ...prev } }
      const body: BinaryNode = { tag: 'body', attrs: {}, content: Buffer.from(change.topic) }
      return { tag: 'description', attrs: { id, ...prev }, content: [body] }
    }
    case 'approval': {
      const state = { tag: 'group_join', attrs: { state: change.isSet ? 'on' : 'off' } }
      return { tag: 'membership_approval_mode', attrs: {}, content: [state] }
    }
    case 'memberAdd':
      return { tag: 'member_add_mode', attrs: {}, content: Buffer.from(change.mode) }
    case 'ephemeral':
      return change.seconds > 0
        ? { tag: 'ephemeral', attrs: { expiration: String(change.seconds) } }
        : { tag: 'not_ephemeral', attrs: {} }
    case 'members': {
      const people = { tag: change.action, attrs: {}, content: change.people.map(participant) }
      return isAboutRequest(change.action)
        ? { tag: 'membership_requests_action', attrs: {}, content: [people] }
        : people
    }
    default:
      return change satisfies never
  }
}

/** Makes a random key, as the network's clients do for new groups and descriptions. */
export function newKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(11)))
    .toString('hex')
    .toUpperCase()
}

/** Returns whether an action answers requests to join. */
export function isAboutRequest(action: MemberAction): boolean {
  return action === 'approve' || action === 'reject'
}

export function participant(jid: Jid): BinaryNode {
  return { tag: 'participant', attrs: { jid } }
}
