/** Builds the stanzas with which a client acknowledges what the server delivered. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Stanza } from '../direct/stanza-bytes.js'

/** Error of an acknowledgement for a stanza that the client does not know (`UnrecognizedStanza` in Baileys `Utils/decode-wa-message.js`). */
export const UNKNOWN_STANZA = 488

export const STATUS_CHAT = 'status@broadcast'

/** Calls that are acknowledged with a receipt that repeats the payload (vinikjkkj/zapo `src/client/events/call.ts`). */
const RECEIVED_CALLS = new Set(['offer', 'accept', 'reject', 'enc_rekey'])

/** Notifications whose acknowledgement has no type (oxidezap/whatsapp-rust `src/client/node_io.rs`, vinikjkkj/zapo). */
const WITHOUT_TYPE = new Set(['encrypt', 'devices'])

/**
 * Builds the acknowledgement of a stanza. Returns null if the stanza has no id or no sender: the server expects none then.
 *
 * The recipient must be repeated, otherwise the server ends the stream (oxidezap/whatsapp-rust pull request 633). The type is repeated, but never
 * invented (365). Messages and status posts carry the own device.
 */
export function buildAcknowledgement(node: BinaryNode, ownDevice?: string, error?: number): Stanza | null {
  const { tag, attrs } = node
  const { id, from, recipient } = attrs
  if (!id || !from) return null
  if (tag === 'call' && error === undefined && RECEIVED_CALLS.has(findPayload(node)?.tag ?? ''))
    return callReceipt(node)
  const isMessage = tag === 'message' || tag === 'status'
  return {
    tag: 'ack',
    attrs: defined({
      id,
      to: from,
      class: tag,
      error: error === undefined ? undefined : String(error),
      participant: findParticipant(node),
      recipient,
      type: findType(node),
      from: isMessage ? ownDevice : undefined,
    }),
  }
}

function callReceipt(node: BinaryNode): Stanza {
  const { id, from } = node.attrs
  const payload = findPayload(node)
  const { 'call-id': callId, 'call-creator': creator } = payload?.attrs ?? {}
  return {
    tag: 'receipt',
    attrs: defined({ id, to: from }),
    content: [{ tag: payload?.tag ?? '', attrs: defined({ 'call-id': callId, 'call-creator': creator }) }],
  }
}

/** Returns the type of the acknowledgement. That of a call is the tag of its payload, since the stanza has none. */
function findType(node: BinaryNode): string | undefined {
  const { tag, attrs } = node
  if (tag === 'call') return attrs.type ?? findPayload(node)?.tag
  return tag === 'notification' && WITHOUT_TYPE.has(attrs.type ?? '') ? undefined : attrs.type
}

/** Returns the participant. A receipt whose participant is the sender itself is acknowledged without one. */
function findParticipant({ tag, attrs: { participant, from } }: BinaryNode): string | undefined {
  return tag === 'receipt' && participant === from ? undefined : participant
}

function findPayload({ content }: BinaryNode): BinaryNode | undefined {
  return Array.isArray(content) ? content[0] : undefined
}

function defined(attributes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) if (value) present[name] = value
  return present
}
