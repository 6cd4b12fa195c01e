import type { BinaryNode } from '@whiskeysockets/baileys'
import { type ChatAddress, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { KnownName } from '../port/contacts.js'
import { children, findChild } from './child-nodes.js'

/** Reads the answer with the blocklist. Returns null for other answers. Form: `blocklist.go` of whatsmeow. */
export function readBlocklist(answer: BinaryNode): readonly ChatAddress[] | null {
  const list = findChild(answer, 'list')
  if (list === undefined || answer.attrs.type !== 'result') return null
  const items = children(list)
  if (items.some(({ tag, attrs }) => tag !== 'item' || attrs.jid === undefined)) return null
  return items.map(readPerson)
}

/** Reads changes by other devices of the account from a notification. */
export function readBlockChanges(notification: BinaryNode): readonly { person: ChatAddress; isBlocked: boolean }[] {
  const list = findChild(notification, 'blocklist')
  if (list === undefined) return []
  return children(list)
    .filter(({ tag, attrs }) => tag === 'item' && attrs.jid !== undefined)
    .map((item) => ({ person: readPerson(item), isBlocked: item.attrs.action === 'block' }))
}

export function listRequest(): BinaryNode {
  return { tag: 'iq', attrs: { xmlns: 'blocklist', to: 's.whatsapp.net', type: 'get' } }
}

/** Makes the request that blocks or unblocks a person. A number stands for the LID only while the network has not given the account one. */
export function blockRequest(person: ChatAddress, isBlocked: boolean, name: KnownName): BinaryNode {
  const attrs = isBlocked
    ? { action: 'block', jid: person.lid ?? toChatId(person), ...chooseIdentifier(person, name) }
    : { action: 'unblock', jid: person.lid ?? toChatId(person) }
  const content: BinaryNode[] = [{ tag: 'item', attrs }]
  return { tag: 'iq', attrs: { xmlns: 'blocklist', to: 's.whatsapp.net', type: 'set' }, content }
}

/** Returns by what else the network is to know a blocked LID: it takes exactly one of these, and refuses a LID alone (zapo `src/protocol/privacy.ts`). */
function chooseIdentifier({ pn, lid }: ChatAddress, { username, name }: KnownName): Record<string, string> {
  if (lid === undefined) return {}
  if (pn !== undefined) return { pn_jid: pn }
  if (username !== '') return { username }
  return name === '' ? { unknown_identifier: 'true' } : { display_name: name }
}

function readPerson({ attrs }: BinaryNode): ChatAddress {
  return toChatAddress(attrs.jid ?? '', attrs.pn_jid ?? null)
}
