import { randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { addressOf, chatIdOf } from '../../../schemas/jid.js'
import type { OutgoingMessage, TextInput } from '../port.js'
import { toJson } from './content.js'

/** A text as the network's own clients build it, with the secret that reporting tokens and later edits need. */
export function composeText(input: TextInput): OutgoingMessage {
  const context = contextInfo(input)
  const preview = input.linkPreview
  const extendedTextMessage: proto.Message.IExtendedTextMessage = {
    text: input.text,
    ...(preview === undefined
      ? {}
      : {
          matchedText: preview.url,
          title: preview.title,
          description: preview.description ?? null,
          previewType: proto.Message.ExtendedTextMessage.PreviewType.NONE,
          ...(preview.thumbnail === undefined ? {} : { jpegThumbnail: Buffer.from(preview.thumbnail, 'base64') }),
        }),
    ...(context === null ? {} : { contextInfo: context }),
  }
  const message: proto.IMessage = { extendedTextMessage, messageContextInfo: { messageSecret: randomBytes(32) } }
  return {
    proto: proto.Message.encode(message as proto.Message).finish(),
    content: toJson(extendedTextMessage),
    native: message,
  }
}

/** A message as it was stored when it was first sent. */
export function recallMessage(bytes: Uint8Array): OutgoingMessage {
  const message = proto.Message.decode(bytes)
  return { proto: bytes, content: null, native: message }
}

function contextInfo(input: TextInput): proto.IContextInfo | null {
  const { quoted, mentions, forwarded, expirationSeconds } = input
  const context: proto.IContextInfo = {
    ...(quoted === undefined
      ? {}
      : {
          stanzaId: quoted.messageid,
          participant: quoted.sender,
          quotedMessage:
            quoted.proto === null ? { conversation: '' } : withoutContext(proto.Message.decode(quoted.proto)),
          ...(quoted.isGroup ? { remoteJid: chatIdOf(quoted.chat) } : {}),
        }),
    ...(mentions === undefined || mentions.length === 0
      ? {}
      : { mentionedJid: mentions.map((jid) => chatIdOf(addressOf(jid))) }),
    ...(forwarded ? { isForwarded: true, forwardingScore: 1 } : {}),
    ...(expirationSeconds ? { expiration: expirationSeconds } : {}),
  }
  return Object.keys(context).length === 0 ? null : context
}

/** A quote holds the quoted message without what that one quoted itself, nor its secrets. */
function withoutContext(message: proto.Message): proto.IMessage {
  const copy: proto.IMessage = { ...message, messageContextInfo: null }
  for (const part of Object.values(copy)) {
    if (typeof part === 'object' && part !== null && 'contextInfo' in part)
      (part as { contextInfo: unknown }).contextInfo = null
  }
  return copy
}
