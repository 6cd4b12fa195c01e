import type { BinaryNode } from '@whiskeysockets/baileys'
import { addressOf, type ChatAddress } from '../../../schemas/jid.js'
import { childOf, children } from './child-nodes.js'

/** Reads the answer with the blocklist. Returns null for other answers. Form: `blocklist.go` of whatsmeow. */
export function readBlocklist(answer: BinaryNode): readonly ChatAddress[] | null {
  const list = childOf(answer, 'list')
  if (list === undefined || answer.attrs.type !== 'result') return null
  const items = children(list)
  if (items.some(({ tag, attrs }) => tag !== 'item' || attrs.jid === undefined)) return null
  return items.map(personOf)
}

/** Reads changes by other devices of the account from a notification. */
export function readBlockChanges(notification: BinaryNode): readonly { person: ChatAddress; isBlocked: boolean }[] {
  const list = childOf(notification, 'blocklist')
  if (list === undefined) return []
  return children(list)
    .filter(({ tag, attrs }) => tag === 'item' && attrs.jid !== undefined)
    .map((item) => ({ person: personOf(item), isBlocked: item.attrs.action === 'block' }))
}

function personOf({ attrs }: BinaryNode): ChatAddress {
  return addressOf(attrs.jid ?? '', attrs.pn_jid ?? null)
}
