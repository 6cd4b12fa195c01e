import { type BinaryNode, encodeWAMessage, type proto, type WASocket } from '@whiskeysockets/baileys'
import { STATUS_CHAT, type StatusAudience } from '../../../../schemas/status-post.js'
import { stanzaAttributes } from '../outgoing.js'
import { distribute, type FanOutOptions, findGroupDevices, ownIdentity } from './group-relay.js'
import { ciphertextAttributes, findStanzaType } from './message-kind.js'
import { type DirectMessage, deviceIdentity, padded, reportingNode } from './relay.js'
import { type Stanza, stanzaBytes } from './stanza-bytes.js'

/**
 * Sends a status post to some people, as WhatsApp Web does: under the own LID, with the key of the post for each of their devices in each
 * stanza, and with the audience that the account chose (zapo `publishStatusMessage`). The library sends no audience, and asks for all devices
 * and keys in one piece. Returns false, and sends nothing, if none of the people has a device. Not yet tested against WhatsApp.
 */
export async function relayStatus(
  message: DirectMessage,
  people: readonly string[],
  audience: StatusAudience,
  options: FanOutOptions,
): Promise<boolean> {
  const { credentials, socket } = options
  const { to: chat, message: content } = message
  const { me } = credentials
  const devices = (await findGroupDevices(people, options)).filter((jid) => jid !== me?.lid && jid !== me?.id)
  if (devices.length === 0) return false
  const { ciphertext, senderKeyDistributionMessage } = await socket.signalRepository.encryptGroupMessage({
    group: chat,
    data: padded(message.bytes),
    meId: ownIdentity(credentials, 'lid'),
  })
  const attributes = ciphertextAttributes(content)
  const { nodes, tellsPreKeys } = await distribute(chat, devices, senderKeyDistributionMessage, attributes, options)
  if (nodes.length === 0) return false
  const stanza: Stanza = {
    tag: 'message',
    attrs: { id: message.id, to: chat, type: findStanzaType(content), ...message.attributes },
    content: [
      { tag: 'enc', attrs: { v: '2', type: 'skmsg', ...attributes }, content: ciphertext },
      { tag: 'participants', attrs: {}, content: nodes },
      ...(tellsPreKeys ? [deviceIdentity(credentials)] : []),
      ...(await reportingNode(message)),
      audienceNode(audience),
      ...message.nodes,
    ],
  }
  await socket.sendRawMessage(stanzaBytes(stanza))
  return true
}

function audienceNode(audience: StatusAudience): BinaryNode {
  return { tag: 'meta', attrs: { status_setting: audience } }
}

interface Resent {
  readonly id: string
  readonly message: proto.IMessage
  /** The device that could not decrypt the post. */
  readonly to: string
  readonly count: number
}

/**
 * Sends a status post again to one device, with its key. The stanza goes to the chat of status posts and names the device, as that of whatsmeow
 * does; the library's goes to the chat with the person (`relayMessage` of 7.0.0-rc14).
 */
export async function resendStatus(
  { signalRepository, sendNode, authState: { creds } }: Pick<WASocket, 'signalRepository' | 'sendNode' | 'authState'>,
  { id, message, to, count }: Resent,
): Promise<void> {
  const chat = STATUS_CHAT.group as string
  const key = await signalRepository.getSenderKeyDistributionMessage({ group: chat, meId: ownIdentity(creds, 'lid') })
  const senderKeyDistributionMessage = { groupId: chat, axolotlSenderKeyDistributionMessage: key }
  const data = encodeWAMessage({ ...message, senderKeyDistributionMessage })
  const { type, ciphertext } = await signalRepository.encryptMessage({ data, jid: to })
  const attrs = { v: '2', type, count: String(count), ...ciphertextAttributes(message) }
  await sendNode({
    tag: 'message',
    attrs: { id, to: chat, participant: to, type: findStanzaType(message), ...stanzaAttributes(message) },
    content: [{ tag: 'enc', attrs, content: ciphertext }, ...(type === 'pkmsg' ? [deviceIdentity(creds)] : [])],
  })
}
