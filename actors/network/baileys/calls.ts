import type { BinaryNode } from '@whiskeysockets/baileys'
import { addressOf, bareJid, isGroupJid } from '../../../schemas/jid.js'
import type { CallEvent, CallState } from '../port.js'
import { alternativeOf } from './incoming.js'

const TYPES: Readonly<Record<string, CallEvent['kind']>> = {
  offer: 'CallOffer',
  offer_notice: 'CallOfferNotice',
  accept: 'CallAccept',
  reject: 'CallReject',
  terminate: 'CallTerminate',
}

/** Why a call ended, as the network says it (whatsmeow `call.go`; the reasons are those that WhatsApp's clients know). */
const ENDS: Readonly<Record<string, CallState>> = {
  timeout: 'timeout',
  accepted_elsewhere: 'acceptedElsewhere',
  rejected_elsewhere: 'rejectedElsewhere',
}

/**
 * A call stanza as our event; null when it tells a caller nothing (how the two ends agree on the way of the sound).
 * Read from the stanza and not from Baileys' events: those know `timeout` alone of the reasons, and come beside the acknowledgement.
 */
export function translateCall(node: BinaryNode): CallEvent | null {
  const [what] = Array.isArray(node.content) ? node.content : []
  const kind = TYPES[what?.tag ?? '']
  const id = what?.attrs['call-id']
  const from = node.attrs.from
  if (what === undefined || kind === undefined || id === undefined || from === undefined) return null
  const { attrs } = what
  const creator = attrs['call-creator'] ?? attrs.from ?? from
  const other = alternativeOf(creator, [attrs.caller_pn, attrs.caller_lid])
  const group = attrs['group-jid'] ?? (isGroupJid(from) ? from : undefined)
  const seconds = Number(node.attrs.t)
  return {
    type: 'call',
    kind,
    state: stateOf(kind, attrs.reason),
    id: id.slice(0, ID_MAX),
    from: addressOf(from, bareJid(from) === bareJid(creator) ? other : null),
    creator: bareJid(creator),
    ...(other === undefined ? {} : { creatorAlternative: other }),
    ...(group === undefined ? {} : { group: bareJid(group) }),
    isVideo: isOffer(kind) ? hasVideo(what) : null,
    reason: attrs.reason ?? null,
    platform: node.attrs.platform ?? '',
    version: node.attrs.version ?? '',
    timestampMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Date.now(),
    data: { tag: what.tag, attributes: bounded(attrs) },
  }
}

/** What refuses a call; it goes to who rings, in the form of whatsmeow's `RejectCall`. */
export function rejection(own: string, call: { readonly id: string; readonly to: string }): BinaryNode {
  return {
    tag: 'call',
    attrs: { from: bareJid(own), to: call.to },
    content: [{ tag: 'reject', attrs: { 'call-id': call.id, 'call-creator': call.to, count: '0' } }],
  }
}

/** Ids and attributes are whatever a caller's client sends. */
const ID_MAX = 200
const ATTRIBUTES_MAX = 30
const ATTRIBUTE_MAX = 500

function bounded(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(attributes).slice(0, ATTRIBUTES_MAX)
  return Object.fromEntries(all.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, ATTRIBUTE_MAX)]))
}

function stateOf(kind: CallEvent['kind'], reason: string | undefined): CallState {
  switch (kind) {
    case 'CallOffer':
    case 'CallOfferNotice':
      return 'ringing'
    case 'CallAccept':
      return 'accepted'
    case 'CallReject':
      return 'rejected'
    case 'CallTerminate':
      return ENDS[reason ?? ''] ?? 'ended'
  }
}

function isOffer(kind: CallEvent['kind']): boolean {
  return kind === 'CallOffer' || kind === 'CallOfferNotice'
}

function hasVideo({ attrs, content }: BinaryNode): boolean {
  return attrs.media === 'video' || (Array.isArray(content) && content.some(({ tag }) => tag === 'video'))
}
