import type { BinaryNode } from '@whiskeysockets/baileys'

// Bound: 65,536, a text or attribute of a stanza.

/**
 * Why a message came without content. The account's phone has that of `phone_only` (the first message from an ad, for example), mostly that of
 * `undecryptable`, and perhaps that of `unmarked`, where nothing says why. The others are never given to a linked device.
 */
export type Absence = 'phone_only' | 'undecryptable' | 'unmarked' | 'view_once' | 'hosted' | 'bot'

/**
 * Reads why a stanza has no ciphertext. Returns null if it has one, or if clients show nothing in its place. The marks are those of the wire
 * (`whatsapp-rust`, `src/message/receive.rs`); the library looks for the names that the web client uses inside, which begin alike.
 */
export function readAbsence(node: BinaryNode): Exclude<Absence, 'undecryptable'> | null {
  const children = listChildren(node)
  if (children.some(({ tag }) => tag === 'enc')) return null
  const mark = children.find(({ tag }) => tag === 'unavailable')
  if (mark === undefined) return isMessage(node) && !isHidden(node) ? 'unmarked' : null
  const { type = '', hosted } = mark.attrs
  if (type.startsWith('view_once')) return 'view_once'
  if (hosted === 'true' || type.startsWith('hosted')) return 'hosted'
  if (type.startsWith('bot') || children.some(({ tag }) => tag === 'bot')) return 'bot'
  return 'phone_only'
}

/**
 * Returns false if clients show nothing in place of the message while they cannot decrypt it: votes, reactions, edits and the like. Of a
 * message to a group, a part for this device alone has its content only if no part for all follows.
 */
export function hasPlace(node: BinaryNode, ciphertext: Uint8Array): boolean {
  if (isHidden(node)) return false
  const parts = listChildren(node).filter(({ tag }) => tag === 'enc')
  const part = parts.find((one) => one.content === ciphertext)
  if (part === undefined || part.attrs['decrypt-fail'] === 'hide') return false
  return part.attrs.type === 'skmsg' || !parts.some((one) => one.attrs.type === 'skmsg')
}

/** Returns true for a stanza from a person, a group or a broadcast. Channels send plain texts, and data of the account has a tag of its own. */
function isMessage(node: BinaryNode): boolean {
  const { tag, attrs } = node
  const isFromChat = /@(?:s\.whatsapp\.net|lid|hosted|hosted\.lid|g\.us|broadcast)$/.test((attrs.from ?? '').slice(-80))
  return (
    (tag === 'message' || tag === 'status') && isFromChat && !listChildren(node).some(({ tag }) => tag === 'plaintext')
  )
}

/** Returns true for a change of another message, and for a message between the devices of the account. */
function isHidden(node: BinaryNode): boolean {
  const { edit = '0', type, category } = node.attrs
  if (edit !== '0' || type === 'reaction' || category === 'peer') return true
  const meta = listChildren(node).find(({ tag }) => tag === 'meta')?.attrs ?? {}
  return meta.polltype === 'vote' || meta.event_type === 'response'
}

function listChildren({ content }: BinaryNode): readonly BinaryNode[] {
  return Array.isArray(content) ? content : []
}
