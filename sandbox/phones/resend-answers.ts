/** Sends companions the messages that only the phone has. */
import { setTimeout as pause } from 'node:timers/promises'
import { proto } from '@whiskeysockets/baileys'
import type { Device } from '../network/model.js'
import type { Node } from '../wire/nodes.js'
import { sendPeer } from './outbox.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { field, unreadBytes } from './raw-messages.js'

const { PLACEHOLDER_MESSAGE_RESEND } = proto.Message.PeerDataOperationRequestType
const KEYS_MAX = 32
/** Number of `WebMessageInfo.message`. */
const MESSAGE = 2

/** Answers a companion that asks for messages. The stanza is checked as the server and the phone do. */
export async function answerResend(
  phone: Phone,
  author: Device,
  stanza: Node,
  request: proto.Message.IPeerDataOperationRequestMessage,
): Promise<void> {
  const { id = '', category } = stanza.attrs
  const keys = (request.placeholderMessageResendRequest ?? []).flatMap(({ messageKey }) => messageKey ?? [])
  if (category !== 'peer' || keys.length === 0 || keys.length > KEYS_MAX)
    throw new PhoneError(400, `A request for ${keys.length} messages is not one that a phone answers.`)
  for (const { remoteJid, participant } of keys)
    if (!remoteJid || /:\d+@/.test(remoteJid) || (participant && !remoteJid.endsWith('@g.us')))
      throw new PhoneError(400, 'A message is named by its bare chat, and by its author only in a group.')
  phone.resendRequests.push({ id, keys: keys.map((key) => key.id ?? ''), atMs: Date.now() })
  const { answerDelayMs, lacksContents } = phone.settings
  if (answerDelayMs < 0) return
  const results = keys.map((key) => ({
    placeholderMessageResendResponse: { webMessageInfoBytes: makeInfo(phone, key, lacksContents) },
  }))
  const answer = () =>
    sendPeer(phone, author, {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
        peerDataOperationRequestResponseMessage: {
          peerDataOperationRequestType: PLACEHOLDER_MESSAGE_RESEND,
          stanzaId: id,
          peerDataOperationResult: results,
        },
      },
    })
  if (answerDelayMs === 0) {
    await answer()
    return
  }
  // The phone does other things meanwhile.
  void pause(answerDelayMs, undefined, { ref: false })
    .then(() => phone.queue(answer))
    .catch((error: Error) => phone.inbox.noteFailure(id, author.label, error))
}

/** A phone names the chat by its number, and puts the secret beside the message. */
function makeInfo(phone: Phone, key: proto.IMessageKey, lacksContents: boolean): Uint8Array {
  const { directory } = phone.network
  const known = phone.inbox.messages.get(key.id ?? '')
  const chat = directory.resolve(key.remoteJid ?? undefined)?.account
  const isIt = known !== undefined && (chat === undefined || known.chat === chat.phoneNumber)
  const { messageContextInfo, ...content } = (isIt && !lacksContents ? known.message : {}) as proto.IMessage
  const { messageSecret, ...context } = messageContextInfo ?? {}
  const raw = isIt && !lacksContents ? unreadBytes(known.message) : undefined
  const hasContent = raw === undefined && Object.keys(content).length > 0
  const info = proto.WebMessageInfo.encode({
    key: { ...key, remoteJid: chat?.jid('pn') ?? key.remoteJid },
    messageTimestamp: known?.timestamp ?? 0,
    ...(hasContent ? { message: { ...content, messageContextInfo: context }, pushName: known?.pushName } : {}),
    ...(hasContent && messageSecret ? { messageSecret } : {}),
  } as proto.IWebMessageInfo).finish()
  return raw === undefined ? info : Buffer.concat([info, field(MESSAGE, raw)])
}
