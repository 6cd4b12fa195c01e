/** Messages: the ack to the sender, and each device's own ciphertext to that device. The server never reads them. */
import { createHmac } from 'node:crypto'
import { bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import { handleChannelMessage } from './channel-posts.js'
import type { Group } from './groups-model.js'
import { menuRefusal } from './menu-nodes.js'
import { countNewChat, mayNotBeginChats } from './mex.js'
import type { Account, AddressSpace, Device, Session } from './model.js'
import type { Network } from './network.js'
import { relayStatus, STATUS } from './status.js'

// Nodes that the server removes; everything else is forwarded with the ciphertext.
const NOT_FORWARDED = new Set(['participants', 'enc', 'device-identity', 'tctoken', 'cstoken', 'reporting'])

/** The stanza is not one that the server takes. */
const SMAX_INVALID = 479
/** A restriction of the account forbids messages to people who have never written to it. */
const RESTRICTED = 463

export function handleMessage(network: Network, session: Session, stanza: Node): void {
  if (stanza.attrs.to?.endsWith('@newsletter')) {
    handleChannelMessage(network, session, stanza)
    return
  }
  const sender = session.device
  const { to } = stanza.attrs
  const group = to === undefined ? undefined : network.groups.get(to)
  const recipient = network.directory.resolve(to)?.account
  const error = refusal(network, sender, group, recipient, stanza)
  const isStale = error === undefined && network.faults.refreshesLid(sender, recipient)
  if (!network.faults.swallowsAck(sender)) session.send(createAck(stanza, error, isStale))
  if (error !== undefined || isFileWithoutKind(sender, stanza)) return
  if (to === STATUS) {
    const attributes = {
      from: STATUS,
      participant: sender.jid('lid'),
      participant_pn: readNumber(sender.account),
      ...commonAttributes(stanza, sender),
    }
    relayStatus(network, sender, stanza, attributes, forwardedContent)
    return
  }
  if (group) relayToGroup(network, sender, group, stanza)
  else if (recipient) relayToUsers(network, sender, recipient, stanza)
}

function refusal(
  network: Network,
  sender: Device,
  group: Group | undefined,
  recipient: Account | undefined,
  stanza: Node,
): number | undefined {
  if (stanza.attrs.to === STATUS) return network.faults.ackError(sender, undefined)
  if (group && !group.members.has(sender.account)) return 403
  if (!group && !recipient) return 404
  if (group && !isInForm(group, stanza)) return SMAX_INVALID
  const isStranger = recipient !== undefined && recipient !== sender.account && !sender.account.writers.has(recipient)
  // Chats that others have begun continue, and so does what the account writes on its phone.
  const isNewChat = isStranger && sender.id !== 0
  if (isNewChat && mayNotBeginChats(sender.account)) return RESTRICTED
  if (isNewChat && network.faults.requiresToken(sender) && !hasToken(sender.account, recipient, stanza))
    return RESTRICTED
  const ofStranger = isNewChat ? network.faults.strangerRefusal(sender, recipient) : undefined
  const error =
    ofStranger ?? network.faults.ackError(sender, recipient) ?? menuRefusal(stanza, sender.account.mayRequestPayments)
  if (isNewChat && error === undefined) countNewChat(network, sender.account)
  return error
}

/** Whether a client sends a file and does not say its kind. The server accepts such a message, and delivers it to nobody (Baileys pull request 2435). */
function isFileWithoutKind({ id }: Device, stanza: Node): boolean {
  // A menu is no file, and is sent again without a kind.
  if (id === 0 || stanza.attrs.type !== 'media' || child(stanza, 'biz') !== undefined) return false
  const [target] = children(child(stanza, 'participants'), 'to')
  const encrypted = child(stanza, 'enc') ?? (target && child(target, 'enc'))
  return encrypted !== undefined && encrypted.attrs.mediatype === undefined
}

/** Whether a message shows a token that the receiver gave, or the one that the account's own devices make for this person (whatsmeow `cstoken.go`). */
function hasToken(sender: Account, recipient: Account, stanza: Node): boolean {
  const [given, made] = [child(stanza, 'tctoken'), child(stanza, 'cstoken')]
  if (given) return recipient.tokens.get(sender)?.equals(bytes(given)) === true
  if (!made || sender.contactSalt === undefined) return false
  return createHmac('sha256', sender.contactSalt).update(recipient.jid('lid')).digest().equals(bytes(made))
}

/** A sender to a group must know how it addresses its members (whatsmeow `send.go`: without a word it is by number). */
function isInForm({ addressing }: Group, { attrs }: Node): boolean {
  return attrs.participant !== undefined || (attrs.addressing_mode ?? 'pn') === addressing
}

function createAck(stanza: Node, error: number | undefined, isStale: boolean): Node {
  const { id, to, participant } = stanza.attrs
  return node('ack', {
    class: 'message',
    id,
    from: to,
    participant,
    t: nowSeconds(),
    error: error === undefined ? undefined : String(error),
    refresh_lid: isStale ? 'true' : undefined,
  })
}

function relayToUsers(network: Network, sender: Device, recipient: Account, stanza: Node): void {
  if (recipient.blocked.has(sender.account)) return
  recipient.acquaintances.add(sender.account)
  recipient.writers.add(sender.account)
  sender.account.acquaintances.add(recipient)
  const participants = child(stanza, 'participants')
  if (!participants) {
    const direct = network.directory.device(stanza.attrs.to)
    const encrypted = child(stanza, 'enc')
    if (direct && direct !== sender && encrypted) deliverTo(network, sender, direct, stanza, [encrypted])
    return
  }
  for (const target of children(participants, 'to')) {
    const device = network.directory.device(target.attrs.jid)
    if (!device || device === sender) continue
    if (device.account !== recipient && device.account !== sender.account) continue
    deliverTo(network, sender, device, stanza, children(target))
  }
}

function deliverTo(network: Network, sender: Device, device: Device, stanza: Node, encrypted: Node[]): void {
  const chat = network.directory.resolve(stanza.attrs.recipient ?? stanza.attrs.to)
  const space: AddressSpace = chat?.space ?? 'pn'
  const own = device.account === sender.account
  const isPeer = stanza.attrs.category === 'peer'
  const addresses = own ? ownAddresses(chat?.account, sender.account, space, isPeer) : otherAddresses(sender, space)
  const attributes = {
    from: isPeer && sender.id === 0 ? sender.account.jid(space) : sender.jid(space),
    ...addresses,
    ...commonAttributes(stanza, sender),
  }
  network.deliver(device, node('message', attributes, [...encrypted, ...forwardedContent(stanza, encrypted)]))
}

/** A copy for the sender's own device says whose chat it belongs to; a peer message belongs to none. */
function ownAddresses(chat: Account | undefined, own: Account, space: AddressSpace, isPeer: boolean) {
  if (isPeer || !chat) return {}
  if (chat === own) return { recipient: own.jid(space) }
  return space === 'pn'
    ? { recipient: chat.jid('pn'), peer_recipient_lid: chat.jid('lid') }
    : { recipient: chat.jid('lid'), peer_recipient_pn: readNumber(chat), peer_recipient_username: readName(chat) }
}

function otherAddresses(sender: Device, space: AddressSpace) {
  const { account } = sender
  return space === 'pn'
    ? { sender_lid: account.jid('lid') }
    : { sender_pn: readNumber(account), username: readName(account) }
}

function readNumber(account: Account): string | undefined {
  return account.hidesNumber ? undefined : account.jid('pn')
}

function readName({ username }: Account): string | undefined {
  return username === '' ? undefined : username
}

function commonAttributes(stanza: Node, sender: Device) {
  const { id, type, category, edit, expiration } = stanza.attrs
  // A phone may play one that wrote long ago.
  const t = (sender.id === 0 ? stanza.attrs.t : undefined) ?? nowSeconds()
  return { id, type, category, edit, expiration, t, notify: sender.pushName ?? sender.account.name }
}

function forwardedContent(stanza: Node, encrypted: Node[]): Node[] {
  const rest = children(stanza).filter(({ tag }) => !NOT_FORWARDED.has(tag))
  const identity = child(stanza, 'device-identity')
  // The signer's identity is of use only where a session is made.
  if (identity && encrypted.some(({ attrs }) => attrs.type === 'pkmsg')) rest.push(identity)
  return rest
}

function relayToGroup(network: Network, sender: Device, group: Group, stanza: Node): void {
  const { addressing } = group
  const { account } = sender
  const attributes = {
    from: group.jid,
    participant: sender.jid(addressing),
    addressing_mode: addressing,
    ...(addressing === 'pn' ? { participant_lid: account.jid('lid') } : { participant_pn: readNumber(account) }),
    participant_username: readName(account),
    ...commonAttributes(stanza, sender),
  }
  const shared = children(stanza, 'enc')
  const only = memberDevice(network, group, stanza.attrs.participant)
  if (stanza.attrs.participant !== undefined) {
    if (only && group.members.has(only.account))
      network.deliver(only, node('message', attributes, [...shared, ...forwardedContent(stanza, shared)]))
    return
  }
  const pairwise = new Map<Device, Node[]>()
  for (const target of children(child(stanza, 'participants'), 'to')) {
    const device = memberDevice(network, group, target.attrs.jid)
    if (device) pairwise.set(device, children(target, 'enc'))
  }
  for (const member of group.members.keys()) {
    if (member !== account && member.blocked.has(account)) continue
    for (const device of member.devices.values()) {
      if (device === sender) continue
      const encrypted = [...(pairwise.get(device) ?? []), ...shared]
      network.deliver(device, node('message', attributes, [...encrypted, ...forwardedContent(stanza, encrypted)]))
    }
  }
}

/** A device of somebody as the group addresses them; under the other address nothing reaches it (nanoclaw PR 3038). */
function memberDevice({ directory }: Network, group: Group, jid: string | undefined): Device | undefined {
  return directory.resolve(jid)?.space === group.addressing ? directory.device(jid) : undefined
}
