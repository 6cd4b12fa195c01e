/**
 * Presence (online, last seen) and typing. Both are sent only to devices that are available themselves, and presence only to those that have
 * subscribed over this connection while they were (whatsmeow `presence.go`, and `ChatPresence` in `types/events/events.go`).
 */
import { bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Account, AddressSpace, Device, Session } from './model.js'
import type { Network } from './network.js'
import { findPrivacy } from './settings.js'

export function handlePresence(network: Network, session: Session, stanza: Node): void {
  const { device } = session
  const { type, name, to } = stanza.attrs
  if (type === 'subscribe') {
    subscribe(network, device, stanza)
    return
  }
  if (type === 'unsubscribe') {
    network.directory.resolve(to)?.account.presenceSubscribers.delete(device)
    return
  }
  if (name) device.pushName = name
  if (type === 'available' && !device.available) {
    device.available = true
    broadcast(network, device.account)
  } else if (type === 'unavailable') becomeUnavailable(network, device)
}

export function becomeUnavailable(network: Network, device: Device): void {
  if (!device.available) return
  device.available = false
  device.account.lastSeenSeconds = Math.floor(Date.now() / 1000)
  broadcast(network, device.account)
}

/** A request without the token that an account demands is answered with silence, as one of an unavailable device is. */
function subscribe(network: Network, device: Device, stanza: Node): void {
  const address = network.directory.resolve(stanza.attrs.to)
  if (!address || !device.available || network.faults.withholdsPresence(device)) return
  const { account } = address
  const token = account.tokens.get(device.account)
  if (account.presenceNeedsToken && !token?.equals(bytes(child(stanza, 'tctoken')))) return
  address.account.presenceSubscribers.set(device, address.space)
  tellIfAvailable(network, device, createPresence(address.account, address.space))
}

function broadcast(network: Network, account: Account): void {
  for (const [subscriber, space] of account.presenceSubscribers)
    tellIfAvailable(network, subscriber, createPresence(account, space))
}

function tellIfAvailable(network: Network, device: Device, stanza: Node): void {
  if (device.available && !network.faults.withholdsPresence(device)) network.tell(device, stanza)
}

/** Subscriptions end with the connection. */
export function endSubscriptions(network: Network, device: Device): void {
  for (const account of network.directory.accounts.values()) account.presenceSubscribers.delete(device)
}

function createPresence(account: Account, space: AddressSpace): Node {
  const online = [...account.devices.values()].some((device) => device.available)
  const isShown = account.lastSeenSeconds > 0 && findPrivacy(account, 'last') !== 'none'
  const last = isShown ? String(account.lastSeenSeconds) : 'deny'
  return node(
    'presence',
    online ? { from: account.jid(space) } : { from: account.jid(space), type: 'unavailable', last },
  )
}

/** Typing and recording: to the devices of the other side, or of all other members of a group. */
export function handleChatState(network: Network, session: Session, stanza: Node): void {
  const sender = session.device
  const { to } = stanza.attrs
  const group = to === undefined ? undefined : network.groups.get(to)
  if (group) {
    for (const member of group.members.keys()) {
      if (member === sender.account) continue
      const attributes = { from: group.jid, participant: sender.account.jid(group.addressing), t: nowSeconds() }
      for (const device of member.devices.values())
        tellIfAvailable(network, device, node('chatstate', attributes, children(stanza)))
    }
    return
  }
  const address = network.directory.resolve(to)
  if (!address || address.account.blocked.has(sender.account)) return
  const forwarded = node('chatstate', { from: sender.account.jid(address.space) }, children(stanza))
  for (const device of address.account.devices.values()) tellIfAvailable(network, device, forwarded)
}
