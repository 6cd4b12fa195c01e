import type { WASocket } from '@whiskeysockets/baileys'
import { readHandle } from '../channel-handle.js'
import { extraNodes } from '../interactive.js'
import { findStanzaType, mediaAttributes } from './message-kind.js'
import type { DirectMessage } from './relay.js'
import { stanzaBytes } from './stanza-bytes.js'

/**
 * Sends a post to a channel: in plain, with the kind of its file and the handle that the media host gave to it, without which the network refuses
 * the post or shows it to nobody (Baileys issues 2086, 2199 and 2657; the library writes neither, and drops the node of a poll).
 */
export async function relayToChannel(
  { id, to, message, bytes }: DirectMessage,
  socket: Pick<WASocket, 'sendRawMessage'>,
): Promise<void> {
  const { encoded, handle } = readHandle(bytes)
  const type = findStanzaType(message)
  const attrs = { id, to, type, ...(handle === null ? {} : { media_id: handle }) }
  const plaintext = { tag: 'plaintext', attrs: mediaAttributes(message), content: encoded }
  const meta = type === 'poll' ? extraNodes(message) : []
  await socket.sendRawMessage(stanzaBytes({ tag: 'message', attrs, content: [plaintext, ...meta] }))
}
