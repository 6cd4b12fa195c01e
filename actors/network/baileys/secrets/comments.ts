import { proto } from '@whiskeysockets/baileys'

/**
 * Returns the comment in a decrypted payload; null if it has none. Clients put in a whole message (whatsmeow, whatsapp-rust) or a
 * `CommentMessage` (zapo). The first field of both may hold the text, so the payload is a `CommentMessage` only if nothing of it is lost when it
 * is read as one.
 */
export function commentIn(plaintext: Uint8Array, target: proto.IMessageKey): proto.IMessage | null {
  const message = asComment(plaintext) ?? asMessage(plaintext)
  return message === null ? null : { commentMessage: { message, targetMessageKey: target } }
}

function asComment(plaintext: Uint8Array): proto.IMessage | null {
  try {
    const { CommentMessage } = proto.Message
    const comment = CommentMessage.decode(plaintext)
    const isWhole = Buffer.compare(CommentMessage.encode(comment).finish(), plaintext) === 0
    return isWhole && comment.message && Object.keys(comment.message).length > 0 ? comment.message : null
  } catch {
    return null
  }
}

function asMessage(plaintext: Uint8Array): proto.IMessage | null {
  try {
    const message = proto.Message.decode(plaintext)
    return Object.keys(message).length > 0 ? message : null
  } catch {
    return null
  }
}
