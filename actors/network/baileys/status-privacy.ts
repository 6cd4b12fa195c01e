import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../schemas/errors.js'
import { bareJid } from '../../../schemas/jid.js'
import type { StatusAudience } from '../../../schemas/status-post.js'
import type { StatusPrivacy } from '../port/settings.js'
import { childOf, children } from './child-nodes.js'

/** The network's lists (whatsmeow `broadcast.go`). */
const AUDIENCES: Readonly<Record<string, StatusAudience>> = {
  contacts: 'contacts',
  whitelist: 'allowlist',
  blacklist: 'denylist',
}

/**
 * Reads who may see the status posts of an account: the default of the lists. An answer without one is refused, and not taken for all contacts:
 * a post must not reach people whom the phone excludes.
 * @throws GatewayError NETWORK_REFUSED
 */
export function readStatusPrivacy(answer: BinaryNode): StatusPrivacy {
  const privacy = childOf(answer, 'privacy')
  const lists = privacy === undefined ? [] : children(privacy).filter(({ tag }) => tag === 'list')
  const chosen = lists.find(({ attrs }) => attrs.default === 'true') ?? (lists.length === 1 ? lists[0] : undefined)
  const audience = AUDIENCES[chosen?.attrs.type ?? '']
  if (chosen === undefined || audience === undefined)
    throw new GatewayError('NETWORK_REFUSED', {
      message: 'WhatsApp did not say who may see the status posts of the account. Name an audience.',
    })
  const people = children(chosen).flatMap(({ tag, attrs }) => (tag === 'user' && attrs.jid ? [bareJid(attrs.jid)] : []))
  return { audience, people: audience === 'contacts' ? [] : [...new Set(people)] }
}
