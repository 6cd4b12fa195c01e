/** Calls: who rings whom, and what each device hears of it. Only the signalling; no sound flows. */
import { randomBytes } from 'node:crypto'
import { bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Account, AddressSpace, Device, Session } from './model.js'
import type { Network } from './network.js'
import { findPrivacy } from './settings.js'

/** A call that continues: it rings until one device accepts it. */
export interface Call {
  readonly caller: Device
  /** Accounts that ring; for a group call all other members. */
  readonly callees: readonly Account[]
  readonly groupJid: string | undefined
  readonly space: AddressSpace
  acceptedBy: Device | undefined
}

/** Stanzas that only the two ends of a call need, to agree on the way of the sound. */
const MEDIA_SETUP = new Set(['preaccept', 'transport', 'relaylatency', 'mute_v2'])

export function handleCall(network: Network, session: Session, stanza: Node): void {
  const { device } = session
  const [what] = children(stanza)
  const isLink = what?.tag === 'link_create' && stanza.attrs.to === '@call'
  const error =
    what === undefined
      ? 400
      : isLink
        ? network.faults.ackError(device, undefined)
        : carryOut(network, device, stanza, what)
  if (network.faults.swallowsAck(device)) return
  const { id, to } = stanza.attrs
  const attributes = { class: 'call', id, from: to, type: what?.tag, t: nowSeconds() }
  if (error !== undefined) session.send(node('ack', { ...attributes, error: String(error) }))
  else if (what !== undefined && isLink) session.send(node('ack', attributes, [createLink(what)]))
  else session.send(node('ack', attributes))
}

/** The error of the ack, if it is refused; that a call nobody knows is 404 is our guess. */
function carryOut(network: Network, device: Device, stanza: Node, what: Node): number | undefined {
  const id = what.attrs['call-id']
  if (id === undefined) return 400
  if (what.tag === 'offer') return ring(network, device, stanza, id, what)
  const call = network.calls.get(id)
  if (call === undefined || !isPartOf(device.account, call)) return 404
  if (what.tag === 'accept') accept(network, device, call, id, what)
  else if (what.tag === 'reject') reject(network, device, call, id, what)
  else if (what.tag === 'terminate') terminate(network, device, call, id, what)
  else if (!MEDIA_SETUP.has(what.tag)) return 400
  return undefined
}

function ring(network: Network, caller: Device, stanza: Node, id: string, offer: Node): number | undefined {
  const group = network.groups.get(stanza.attrs.to ?? '')
  const address = network.directory.resolve(stanza.attrs.to)
  const callees = group
    ? [...group.members.keys()].filter((one) => one !== caller.account)
    : address
      ? [address.account]
      : []
  if (callees.length === 0) return 404
  const refused = group ? undefined : network.faults.ackError(caller, address?.account)
  if (refused !== undefined) return refused
  if (address !== undefined && !reaches(caller, address.account, offer)) return undefined
  const space = group?.addressing ?? address?.space ?? 'pn'
  network.calls.set(id, { caller, callees, groupJid: group?.jid, space, acceptedBy: undefined })
  const creator = {
    'call-id': id,
    'call-creator': caller.jid(space),
    caller_pn: space === 'lid' ? caller.account.jid('pn') : undefined,
  }
  const media = children(offer).some(({ tag }) => tag === 'video') ? 'video' : 'audio'
  const told = group
    ? node('offer_notice', { ...creator, 'group-jid': group.jid, type: 'group', media })
    : node('offer', creator, children(offer))
  for (const callee of callees) {
    if (callee.blocked.has(caller.account)) continue
    for (const device of callee.devices.values())
      send(network, device, caller, space, group ? told : forDevice(network, device, told))
  }
  return undefined
}

/**
 * Whether the offer of a client rings. The server drops one silently that has no key for the devices, or that shows another token than the person
 * gave (tulir/whatsmeow issue 555), and one to a person who takes calls of known people only.
 */
function reaches(caller: Device, callee: Account, offer: Node): boolean {
  const isKnown = caller.account.writers.has(callee)
  if (findPrivacy(callee, 'calladd') === 'known' && !isKnown) return false
  // The phones here write no keys.
  if (caller.id === 0) return true
  const token = child(offer, 'privacy')
  if (token && callee.tokens.get(caller.account)?.equals(bytes(token)) !== true) return false
  const parts = ['net', 'capability', 'encopt', 'audio'].every((tag) => child(offer, tag) !== undefined)
  return parts && children(child(offer, 'destination'), 'to').length > 0
}

/** The offer with the key for one device alone, as it gets it. */
function forDevice(network: Network, device: Device, offer: Node): Node {
  const own = children(child(offer, 'destination'), 'to').find(
    ({ attrs }) => network.directory.device(attrs.jid) === device,
  )
  const rest = children(offer).filter(({ tag }) => tag !== 'destination' && tag !== 'privacy')
  return { ...offer, content: [...rest, ...(own ? children(own) : [])] }
}

/** Makes a link to a call. Its token has 22 characters. */
function createLink(what: Node): Node {
  const { media } = what.attrs
  return node('link_create', { media, token: randomBytes(16).toString('base64url') })
}

function accept(network: Network, device: Device, call: Call, id: string, what: Node): void {
  call.acceptedBy = device
  send(network, call.caller, device, call.space, what)
  stopRinging(network, device, call, id, 'accepted_elsewhere')
}

function reject(network: Network, device: Device, call: Call, id: string, what: Node): void {
  if (call.groupJid === undefined) network.calls.delete(id)
  send(network, call.caller, device, call.space, what)
  stopRinging(network, device, call, id, 'rejected_elsewhere')
}

/** The caller's end reaches all who are rung; that of another the caller. */
function terminate(network: Network, device: Device, call: Call, id: string, what: Node): void {
  network.calls.delete(id)
  if (device.account !== call.caller.account) {
    send(network, call.caller, device, call.space, what)
    stopRinging(network, device, call, id, undefined)
    return
  }
  for (const callee of call.callees)
    for (const other of callee.devices.values()) send(network, other, device, call.space, what)
}

/** The other devices of an account hear that one of them has answered. */
function stopRinging(network: Network, device: Device, call: Call, id: string, reason: string | undefined): void {
  const ended = node('terminate', { 'call-id': id, 'call-creator': call.caller.jid(call.space), reason })
  for (const other of device.account.devices.values())
    if (other !== device) send(network, other, call.caller, call.space, ended)
}

function send(network: Network, to: Device, from: Device, space: AddressSpace, what: Node): void {
  const attributes = { from: from.account.jid(space), id: network.makeId(), t: nowSeconds(), platform: from.platform }
  network.deliver(to, node('call', attributes, [what]))
}

function isPartOf(account: Account, call: Call): boolean {
  return account === call.caller.account || call.callees.includes(account)
}
