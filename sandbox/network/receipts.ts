/** Receipts and acks of clients: what they confirm, and to whom they are passed on. */
import { children, type Node, node, nowSeconds } from '../wire/nodes.js'
import { handleViews } from './channel-posts.js'
import { askPhoneForMedia } from './media.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'
import { STATUS } from './status.js'

/** Receipts that confirm to the server alone. */
const SERVER_ONLY = new Set(['peer_msg', 'hist_sync', 'sender'])
/** Receipts that say that the device has the message, as one without a type does. Others leave it waiting: it is sent again. */
const CONFIRMING = new Set([...SERVER_ONLY, 'inactive'])
/** Receipts of which the reader's other devices must hear too. */
const SYNCED = new Set(['read', 'read-self', 'played', 'played-self'])

export function handleReceipt(network: Network, session: Session, stanza: Node): void {
  const { device } = session
  const { id, to, type, participant, recipient } = stanza.attrs
  session.send(node('ack', { class: 'receipt', id, from: to, type, participant, recipient, t: nowSeconds() }))
  if (type === 'view') {
    handleViews(network, session, stanza)
    return
  }
  if (network.acknowledgements.receipt(session, stanza)) return
  if (type === undefined || CONFIRMING.has(type))
    for (const messageId of messageIds(stanza)) device.pending.confirmMessage(messageId, isFrom(network, stanza))
  if (type !== undefined && SERVER_ONLY.has(type)) return
  if (type === 'server-error') {
    askPhoneForMedia(network, session, stanza)
    return
  }
  if (to === STATUS) {
    const author = network.directory.resolve(participant)
    const from = { from: STATUS, participant: device.jid('lid') }
    if (author) forward(network, device, stanza, from, author.account, author.deviceId)
    return
  }
  const group = to === undefined ? undefined : network.groups.get(to)
  if (group) {
    const author = network.directory.resolve(participant)
    // Passed over in silence, as is one that names nobody (omni PR 78).
    if (author?.space !== group.addressing) return
    const from = { from: group.jid, participant: device.jid(group.addressing) }
    forward(network, device, stanza, from, author.account, author.deviceId)
    if (type && SYNCED.has(type))
      syncOwn(network, device, stanza, { from: group.jid, participant: device.jid(group.addressing) })
    return
  }
  const address = network.directory.resolve(to)
  if (!address) return
  const from = { from: device.jid(address.space), recipient }
  if (address.account !== device.account)
    forward(network, device, stanza, { from: from.from }, address.account, address.deviceId)
  else if (type === 'retry') forward(network, device, stanza, from, address.account, address.deviceId)
  if (type && SYNCED.has(type) && address.account !== device.account)
    syncOwn(network, device, stanza, {
      from: device.jid(address.space),
      recipient: address.account.jid(address.space),
    })
}

export function messageIds(receipt: Node): string[] {
  const ids = receipt.attrs.id === undefined ? [] : [receipt.attrs.id]
  for (const list of children(receipt, 'list'))
    for (const item of children(list, 'item')) if (item.attrs.id) ids.push(item.attrs.id)
  return ids
}

/** A retry goes to the one device that sent the message, everything else to all devices of its account. */
function forward(
  network: Network,
  reader: Device,
  stanza: Node,
  addresses: Record<string, string | undefined>,
  author: Account,
  authorDevice: number,
): void {
  const { id, type } = stanza.attrs
  const isRetry = type === 'retry'
  if (type === 'read-self' || type === 'played-self') return
  const passed = node('receipt', { id, type, t: nowSeconds(), ...addresses }, stanza.content)
  for (const device of author.devices.values())
    if (device !== reader && (!isRetry || device.id === authorDevice)) network.deliver(device, passed)
}

function syncOwn(network: Network, reader: Device, stanza: Node, addresses: Record<string, string | undefined>): void {
  const { id, type } = stanza.attrs
  const passed = node('receipt', { id, type, t: nowSeconds(), ...addresses }, stanza.content)
  for (const device of reader.account.devices.values()) if (device !== reader) network.deliver(device, passed)
}

/** Whether a message is of the chat that a receipt or ack goes to, by whichever of a person's addresses. */
function isFrom({ directory }: Network, { attrs }: Node): (message: Node) => boolean {
  const people = (...jids: (string | undefined)[]) => jids.flatMap((jid) => directory.resolve(jid)?.account ?? [])
  const named = people(attrs.to, attrs.recipient, attrs.participant)
  return ({ attrs: { from, recipient, participant } }) =>
    from === attrs.to || people(from, recipient, participant).some((one) => named.includes(one))
}

export function handleAck(network: Network, session: Session, stanza: Node): void {
  network.acknowledgements.received(session, stanza)
}
