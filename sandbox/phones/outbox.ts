/** How a phone writes: to people with a copy to its own companions, to groups with a sender key, to one companion as peer. */
import { randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import type { Group } from '../network/groups-model.js'
import type { Account, AddressSpace, Device } from '../network/model.js'
import { child, children, type Node, node } from '../wire/nodes.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { withFields } from './raw-messages.js'
import { asWritten } from './records.js'
import { copyForOwn, withSecret } from './secrets.js'
import { applyChange } from './shown.js'
import { makeMarks, type Withholding } from './withheld.js'

export function makeMessageId(): string {
  return randomBytes(16).toString('hex').toUpperCase()
}

export interface SendOptions extends Withholding {
  readonly id?: string
  readonly addressing?: AddressSpace
  readonly agoSeconds?: number
  /** False: the message leaves without its secret, as older phones and some programs send it. */
  readonly secret?: boolean
}

export async function sendMessage(
  phone: Phone,
  to: string,
  written: proto.IMessage,
  options: SendOptions,
): Promise<string> {
  if (!phone.online) throw new PhoneError(409, 'The phone is offline.')
  const id = options.id ?? makeMessageId()
  const message = options.secret === false ? written : withSecret(written, phone.secretFor(id))
  const group = phone.network.groups.get(to)
  if (group) {
    note(phone, id, group.jid, message)
    await sendToGroup(phone, group, id, message)
    return id
  }
  const recipient = findRecipient(phone, to)
  const space = options.addressing ?? (to.endsWith('@lid') ? 'lid' : phone.settings.addressing)
  note(phone, id, recipient.phoneNumber, message)
  const chat = recipient.jid(space)
  const copy = copyForOwn(chat, message)
  const targets: Node[] = []
  for (const device of recipient.devices.values())
    if (device !== phone.device) targets.push(await findTarget(phone, device, space, message, options))
  if (options.damaged === 'always') phone.unsent.add(id)
  if (recipient !== phone.account)
    for (const device of phone.account.devices.values())
      if (device !== phone.device) targets.push(await target(phone, device, space, copy))
  phone.transmit(
    node('message', { id, to: chat, type: stanzaType(message), edit: readEdit(message), t: formatTime(options) }, [
      node('participants', {}, targets),
    ]),
  )
  return id
}

/** Returns the part for a device of the receiver. Its phone always gets the content. */
async function findTarget(
  phone: Phone,
  device: Device,
  space: AddressSpace,
  message: proto.IMessage,
  { mark, damaged }: Withholding,
): Promise<Node> {
  if (device.id === 0) return target(phone, device, space, message)
  if (mark !== undefined) return node('to', { jid: device.jid(space) }, makeMarks(mark))
  const whole = await target(phone, device, space, message)
  if (damaged === undefined) return whole
  for (const enc of children(whole, 'enc')) {
    const spoiled = Buffer.from(enc.content as Uint8Array)
    // In front of the authentication code, behind which a pre-key message has two numbers.
    const place = spoiled.length - 24
    spoiled[place] = (spoiled[place] ?? 0) ^ 1
    enc.content = spoiled
  }
  return whole
}

/** Returns the time of a message that was written earlier. */
function formatTime({ agoSeconds }: { agoSeconds?: number }): string | undefined {
  return agoSeconds === undefined ? undefined : String(Math.floor(Date.now() / 1_000) - agoSeconds)
}

function note(phone: Phone, id: string, chat: string, message: proto.IMessage): void {
  phone.sent.set(id, { id, chat, message, ack: null, peer: false, ...asWritten(message) })
  applyChange(phone, phone.account, message, readEdit(message))
}

export function findRecipient(phone: Phone, to: string): Account {
  const account = to.includes('@')
    ? phone.network.directory.resolve(to)?.account
    : phone.network.directory.accounts.get(to)
  if (!account) throw new PhoneError(404, `${to} is not on this network.`)
  return account
}

async function target(phone: Phone, device: Device, space: AddressSpace, message: proto.IMessage): Promise<Node> {
  return node('to', { jid: device.jid(space) }, [await encrypted(phone, device, message)])
}

async function encrypted(phone: Phone, device: Device, message: proto.IMessage, count?: string): Promise<Node> {
  const { type, ciphertext } = await phone.signal.encrypt(device, message)
  return node('enc', { v: '2', type, count }, ciphertext)
}

async function sendToGroup(phone: Phone, group: Group, id: string, message: proto.IMessage): Promise<void> {
  const devices = [...group.members.keys()].flatMap((member) => [...member.devices.values()])
  const others = devices.filter((device) => device !== phone.device)
  const encrypted = await phone.signal.encryptForGroup(phone.device, group.jid, message, others)
  const targets: Node[] = []
  for (const device of encrypted.newcomers) {
    const key = { senderKeyDistributionMessage: encrypted.distribution }
    targets.push(await target(phone, device, group.addressing, key))
  }
  const participants = targets.length > 0 ? [node('participants', {}, targets)] : []
  const content = [...participants, node('enc', { v: '2', type: 'skmsg' }, encrypted.ciphertext)]
  const attributes = {
    id,
    to: group.jid,
    type: stanzaType(message),
    edit: readEdit(message),
    addressing_mode: group.addressing,
  }
  phone.transmit(node('message', attributes, content))
}

/** A message for one own companion's program, not for its user: keys, history. */
export async function sendPeer(phone: Phone, device: Device, message: proto.IMessage): Promise<string> {
  const id = makeMessageId()
  phone.sent.set(id, { id, chat: device.label, message, ack: null, peer: true, ...asWritten(message) })
  await transmitPeer(phone, device, id, message)
  return id
}

async function transmitPeer(phone: Phone, device: Device, id: string, message: proto.IMessage, count?: string) {
  const enc = await encrypted(phone, device, message, count)
  phone.transmit(node('message', { id, to: device.jid('pn'), type: 'text', category: 'peer' }, [enc]))
}

/** Answers a retry receipt: the same message for that one device, in a fresh session if the receipt has keys or the first answer failed. */
export async function resend(phone: Phone, device: Device, id: string, receipt: Node, count: string): Promise<void> {
  const sent = phone.sent.get(id)
  if (!sent || phone.unsent.has(id)) return
  if (child(receipt, 'keys') !== undefined || Number(count) > 1) await phone.signal.startSession(device, receipt)
  if (sent.peer) {
    await transmitPeer(phone, device, id, sent.message, count)
    return
  }
  const group = phone.network.groups.get(sent.chat)
  if (group) {
    const enc = await encrypted(phone, device, await withSenderKey(phone, group, sent.message), count)
    const participant = device.jid(group.addressing)
    phone.transmit(node('message', { id, to: group.jid, participant, type: stanzaType(sent.message) }, [enc]))
    return
  }
  const own = device.account === phone.account
  const space: AddressSpace = receipt.attrs.from?.endsWith('@lid') ? 'lid' : 'pn'
  const chat = findRecipient(phone, sent.chat).jid(space)
  const message = own ? copyForOwn(chat, sent.message) : sent.message
  const enc = await encrypted(phone, device, message, count)
  const attributes = {
    id,
    to: device.jid(space),
    type: stanzaType(sent.message),
    recipient: own ? chat : undefined,
    device_fanout: 'false',
  }
  phone.transmit(node('message', attributes, [enc]))
}

async function withSenderKey(phone: Phone, group: Group, message: proto.IMessage): Promise<proto.IMessage> {
  return withFields(message, {
    senderKeyDistributionMessage: await phone.signal.createSenderKey(phone.device, group.jid),
  })
}

/** Numbers of `SecretEncryptedMessage.SecretEncType`. */
const [SECRET_EVENT_EDIT, SECRET_EDIT, SECRET_POLL_CHANGES] = [1, 2, [4, 5]]

/** Attribute for the server about a change: `types/message.go` of whatsmeow, `EditAttribute`. */
function readEdit({
  protocolMessage,
  editedMessage,
  secretEncryptedMessage,
  pinInChatMessage,
}: proto.IMessage): string | undefined {
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  if (editedMessage || secretEncryptedMessage?.secretEncType === SECRET_EDIT) return '1'
  if (protocolMessage?.type === MESSAGE_EDIT) return '1'
  if (pinInChatMessage) return '2'
  if (protocolMessage?.type !== REVOKE) return undefined
  return protocolMessage.key?.fromMe ? '7' : '8'
}

function stanzaType(written: proto.IMessage): string {
  const message = written.viewOnceMessageV2?.message ?? written
  if (message.reactionMessage || message.encReactionMessage) return 'reaction'
  const type = Number(message.secretEncryptedMessage?.secretEncType ?? 0)
  if (type === SECRET_EVENT_EDIT || message.encEventResponseMessage || message.eventMessage) return 'event'
  if (SECRET_POLL_CHANGES.includes(type)) return 'poll'
  if (message.pollCreationMessage || message.pollCreationMessageV3 || message.pollUpdateMessage) return 'poll'
  const isMedia = message.imageMessage || message.videoMessage || message.audioMessage || message.documentMessage
  return isMedia || message.stickerMessage || message.ptvMessage ? 'media' : 'text'
}
