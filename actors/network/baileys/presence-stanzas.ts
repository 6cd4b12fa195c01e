import { type BinaryNode, getAllBinaryNodeChildren } from '@whiskeysockets/baileys'
import { isGroupJid, toChatAddress } from '../../../schemas/jid.js'
import type { NetworkEvent, PresenceState } from '../port/events.js'

// Bound: 65,536, a text or attribute of a stanza.

type PresenceEvent = Extract<NetworkEvent, { type: 'presence' }>

/** Reads the presence of a person. The library drops that a last seen is hidden. */
export function readPresence({ attrs }: BinaryNode): PresenceEvent | null {
  const { from, type, last } = attrs
  if (from === undefined || (type !== undefined && type !== 'available' && type !== 'unavailable')) return null
  const lastSeen = /^\d{1,12}$/.test(last ?? '') ? Number(last) : undefined
  return {
    type: 'presence',
    chat: toChatAddress(from),
    sender: toChatAddress(from),
    state: type === 'unavailable' ? 'unavailable' : 'available',
    ...(lastSeen === undefined || lastSeen === 0 ? {} : { lastSeen }),
    ...(last === 'deny' ? { isLastSeenHidden: true } : {}),
  }
}

/** Reads that a person types, records or stops. The library calls the end of it `available`, which it does not say. */
export function readChatState(node: BinaryNode): PresenceEvent | null {
  const { from, participant } = node.attrs
  const [child] = getAllBinaryNodeChildren(node)
  const state = child === undefined ? null : parseState(child)
  if (from === undefined || state === null || (isGroupJid(from) && participant === undefined)) return null
  return { type: 'presence', chat: toChatAddress(from), sender: toChatAddress(participant ?? from), state }
}

function parseState({ tag, attrs }: BinaryNode): PresenceState | null {
  if (tag === 'composing') return attrs.media === 'audio' ? 'recording' : 'composing'
  return tag === 'paused' ? 'paused' : null
}
