/** What a member changes in a group, and how the others hear of it. */
import { type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Group } from './groups-model.js'
import type { Account } from './model.js'
import type { Network } from './network.js'

export interface GroupChange {
  readonly subject?: string | undefined
  readonly announcement?: boolean | undefined
  readonly ephemeralSeconds?: number | undefined
  readonly add: readonly Account[]
  readonly remove: readonly Account[]
  readonly promote: readonly Account[]
  readonly demote: readonly Account[]
}

/** Every member hears of each change, also one who is put out by it. */
export function changeGroup(network: Network, group: Group, author: Account, change: GroupChange): void {
  if (change.subject !== undefined) {
    group.subject = change.subject
    tell(node('subject', { subject: change.subject, s_o: author.jid(group.addressing), s_t: nowSeconds() }))
  }
  if (change.announcement !== undefined) {
    group.announcement = change.announcement
    tell(node(change.announcement ? 'announcement' : 'not_announcement', {}))
  }
  if (change.ephemeralSeconds !== undefined) {
    const { ephemeralSeconds } = change
    tell(ephemeralSeconds > 0 ? node('ephemeral', { expiration: String(ephemeralSeconds) }) : node('not_ephemeral', {}))
  }
  for (const account of change.add) group.members.set(account, 'member')
  tellOf('add', change.add)
  for (const account of change.promote) group.members.set(account, 'admin')
  tellOf('promote', change.promote)
  for (const account of change.demote) group.members.set(account, 'member')
  tellOf('demote', change.demote)
  tellOf('remove', change.remove)
  for (const account of change.remove) group.members.delete(account)

  function tellOf(tag: string, accounts: readonly Account[]): void {
    if (accounts.length === 0) return
    const other = group.addressing === 'lid' ? 'pn' : 'lid'
    const participants = accounts.map((account) =>
      node('participant', {
        jid: account.jid(group.addressing),
        [other === 'pn' ? 'phone_number' : 'lid']: account.jid(other),
      }),
    )
    tell(node(tag, {}, participants))
  }

  function tell(what: Node): void {
    for (const member of group.members.keys()) {
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
}
