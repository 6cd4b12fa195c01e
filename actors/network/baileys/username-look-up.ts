import type { BinaryNode } from '@whiskeysockets/baileys'
import { bareJid, isLidJid } from '../../../schemas/jid.js'
import type { AskedUsername } from '../../../schemas/username.js'
import type { FoundUsername } from '../port/contacts.js'
import { childOf } from './child-nodes.js'

/**
 * Makes the request for the account of a username. The library builds one too, but without the addressing mode, and drops the answer of a
 * username that needs a key (`WAUSync` of 7.0.0-rc14). Form: `src/client/coordinators` of zapo, wppconnect-team/wa-js pull request 3550.
 */
export function usernameRequest({ username, key }: AskedUsername, sid: string): BinaryNode {
  const contact = { tag: 'contact', attrs: { username, ...(key === '' ? {} : { pin: key }) } }
  const list: BinaryNode = { tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: {}, content: [contact] }] }
  const query: BinaryNode = {
    tag: 'query',
    attrs: {},
    content: [{ tag: 'contact', attrs: { addressing_mode: 'lid' } }],
  }
  const attrs = { sid, mode: 'query', last: 'true', index: '0', context: 'interactive' }
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
    content: [{ tag: 'usync', attrs, content: [query, list] }],
  }
}

/** Reads the answer. A user without a JID needs a key, one whose contact is `out` or has an error is nobody. */
export function readUsernameAnswer(answer: BinaryNode): FoundUsername {
  const usync = childOf(answer, 'usync')
  const list = usync && childOf(usync, 'list')
  const user = list && childOf(list, 'user')
  if (user === undefined) return { kind: 'nobody' }
  const contact = childOf(user, 'contact')
  if (contact !== undefined && (contact.attrs.type === 'out' || childOf(contact, 'error') !== undefined))
    return { kind: 'nobody' }
  const { jid } = user.attrs
  if (jid === undefined) return { kind: 'keyNeeded' }
  return isLidJid(bareJid(jid)) ? { kind: 'found', lid: bareJid(jid) } : { kind: 'nobody' }
}
