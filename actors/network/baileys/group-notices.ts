import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, toChatAddress } from '../../../schemas/jid.js'
import type { GroupNotice, GroupPatch } from '../port/groups.js'
import { children } from './child-nodes.js'
import type { OwnAddresses } from './own-devices.js'

/** Returns whether a notification says that the group was deleted, or that the account left it. */
export function isOwnRemoval(notification: BinaryNode, own: OwnAddresses): boolean {
  const us = [own.jid, own.lid].flatMap((jid) => (jid === null ? [] : [bareJid(jid)]))
  return children(notification).some(
    (change) =>
      change.tag === 'delete' ||
      ((change.tag === 'remove' || change.tag === 'leave') &&
        children(change).some(({ attrs }) =>
          [attrs.jid, attrs.lid, attrs.phone_number].some((jid) => jid !== undefined && us.includes(bareJid(jid))),
        )),
  )
}

/** Reads a member. Groups that name people by LID give the number as `phone_number`, others the LID as `lid`, if the account may know them. */
function readMember({ jid, phone_number: pn, lid }: BinaryNode['attrs']): readonly ChatAddress[] {
  return jid === undefined ? [] : [toChatAddress(jid, pn ?? lid ?? null)]
}

/** Translates a notification about a group. */
export function readGroupNotice(group: Jid, notification: BinaryNode): GroupNotice {
  const { participant: sender, participant_pn: other, t } = notification.attrs
  return {
    group,
    sender: sender === undefined ? null : toChatAddress(sender, other ?? null),
    timestampMs: (Number(t) || 0) * 1000,
    changes: children(notification).map((change): GroupPatch => {
      const people = children(change).flatMap(({ tag, attrs }) =>
        tag === 'participant' || tag === 'requested_user' ? readMember(attrs) : [],
      )
      return people.length === 0 ? { what: change.tag } : { what: change.tag, people }
    }),
  }
}
