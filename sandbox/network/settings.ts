/** Account settings that clients ask for and change: privacy, blocklist, about, picture. */
import { randomBytes } from 'node:crypto'
import { bytes, child, children, type Node, node, nowSeconds, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Session } from './model.js'
import type { Network } from './network.js'

const PRIVACY_DEFAULTS: Record<string, string> = {
  readreceipts: 'all',
  last: 'all',
  online: 'all',
  profile: 'all',
  status: 'all',
  groupadd: 'all',
  calladd: 'all',
  messages: 'all',
}

export function handlePrivacy(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const tokens = child(iq, 'tokens')
  if (tokens) {
    issueTokens(network, session, tokens)
    return []
  }
  for (const { attrs } of children(child(iq, 'privacy'), 'category')) {
    if (attrs.name && attrs.value) account.privacy.set(attrs.name, attrs.value)
  }
  const names = new Set([...Object.keys(PRIVACY_DEFAULTS), ...account.privacy.keys()])
  const categories = [...names].map((name) =>
    node('category', { name, value: account.privacy.get(name) ?? PRIVACY_DEFAULTS[name] }),
  )
  return [node('privacy', {}, categories)]
}

/** A client trusts a contact: the contact's devices get a token to show when they write. */
function issueTokens(network: Network, session: Session, tokens: Node): void {
  const { account } = session.device
  for (const { attrs } of children(tokens, 'token')) {
    const contact = network.directory.resolve(attrs.jid)
    if (!contact || contact.account === account) continue
    const token = node('token', { type: 'trusted_contact', t: attrs.t }, randomBytes(16))
    for (const device of contact.account.devices.values()) {
      if (device.id === 0) continue
      const from = { from: account.jid('pn'), sender_lid: account.jid('lid') }
      const attributes = { ...from, type: 'privacy_token', id: network.makeId(), t: nowSeconds() }
      network.deliver(device, node('notification', attributes, [node('tokens', {}, [token])]))
    }
  }
}

export function handleBlocklist(network: Network, session: Session, iq: Node): Node[] {
  const { account } = session.device
  const item = child(iq, 'item')
  if (iq.attrs.type === 'set') {
    const target = network.directory.resolve(item?.attrs.jid)?.account
    if (!item || !target) throw new IqError(400, 'bad-request')
    if (item.attrs.action === 'block') account.blocked.add(target)
    else account.blocked.delete(target)
    for (const device of account.devices.values()) {
      if (device === session.device) continue
      const attributes = { from: account.jid('pn'), type: 'account_sync', id: network.makeId(), t: nowSeconds() }
      const change = node('item', { action: item.attrs.action, jid: target.jid('lid') })
      network.deliver(device, node('notification', attributes, [node('blocklist', {}, [change])]))
    }
  }
  const items = [...account.blocked].map((blocked) => node('item', { jid: blocked.jid('lid') }))
  return [node('list', {}, items)]
}

export function handleStatus(_network: Network, session: Session, iq: Node): Node[] {
  const status = child(iq, 'status')
  if (status && iq.attrs.type === 'set') session.device.account.about = text(status)
  return []
}

export function handleDisappearingMode(): Node[] {
  return []
}

/** Where the picture of a person is; a change of a group's. */
export function handlePicture(network: Network, session: Session, iq: Node): Node[] {
  if (iq.attrs.type === 'set') {
    const group = network.groups.get(iq.attrs.target ?? '')
    const role = group?.members.get(session.device.account)
    if (!group || role === undefined || (group.locked && role === 'member')) throw new IqError(403, 'forbidden')
    const picture = child(iq, 'picture')
    group.picture = picture && bytes(picture)
    return [node('picture', { id: '1' })]
  }
  const picture = network.directory.resolve(iq.attrs.target)?.account.picture
  if (picture === undefined) throw new IqError(404, 'item-not-found')
  const { type = 'image' } = child(iq, 'picture')?.attrs ?? {}
  return [node('picture', { id: '1', type, url: `${picture}?${type}` })]
}
