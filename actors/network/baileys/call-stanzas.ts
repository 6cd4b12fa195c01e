import type { EventEmitter } from 'node:events'
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, toChatAddress } from '../../../schemas/jid.js'
import type { CallEvent, CallState } from '../port/calls.js'
import { findAlternative } from './incoming.js'
import { wireTimeMs } from './wire-time.js'

// Bound: 65,536, a text or attribute of a stanza.

const TYPES: Readonly<Record<string, CallEvent['kind']>> = {
  offer: 'CallOffer',
  offer_notice: 'CallOfferNotice',
  accept: 'CallAccept',
  reject: 'CallReject',
  terminate: 'CallTerminate',
}

/** States by the network's reason for the end of a call (whatsmeow `call.go`; WhatsApp's clients know these reasons). */
const ENDS: Readonly<Record<string, CallState>> = {
  timeout: 'timeout',
  accepted_elsewhere: 'acceptedElsewhere',
  rejected_elsewhere: 'rejectedElsewhere',
}

/** Accepted forms of addresses that the other side's client wrote, as in `schemas/jid.ts`. Anything else is ignored, because it would go into the event. */
const PERSON = /^\d{5,20}(_\d{1,3})?(:\d{1,5})?@(lid|s\.whatsapp\.net|c\.us)$/
const GROUP = /^\d{5,25}(-\d{5,15})?@g\.us$/

/**
 * Translates a call stanza into an event. Returns null for stanzas without meaning to callers, such as the negotiation of the transport.
 *
 * The server writes the attributes of the stanza, so `from` is reliable. The other side's client writes the child: the event repeats it,
 * but no chat and no number is learned from it (whatsmeow's `call.go` keeps the two apart alike).
 *
 * Reads the stanza and not the events of Baileys, which know no reason but `timeout` and are emitted independently of the acknowledgement.
 */
function translateCall(node: BinaryNode): CallEvent | null {
  const [what] = Array.isArray(node.content) ? node.content : []
  const kind = TYPES[what?.tag ?? '']
  const id = what?.attrs['call-id']
  const from = node.attrs.from
  if (what === undefined || kind === undefined || id === undefined || from === undefined) return null
  const { attrs } = what
  const creator = bareJid([attrs['call-creator'], attrs.from].find((one) => PERSON.test(one ?? '')) ?? from)
  const other = findAlternative(
    creator,
    [attrs.caller_pn, attrs.caller_lid].filter((one) => PERSON.test(one ?? '')),
  )
  const group = [attrs['group-jid'], from].find((one) => GROUP.test(one ?? ''))
  return {
    type: 'call',
    kind,
    state: readCallState(kind, attrs.reason),
    id: id.slice(0, ID_MAX),
    from: toChatAddress(from),
    fromJid: bareJid(from),
    creator,
    ...(other === undefined ? {} : { creatorAlternative: other }),
    ...(group === undefined ? {} : { group: group as Jid }),
    isVideo: isOffer(kind) ? hasVideo(what) : null,
    reason: attrs.reason ?? null,
    platform: node.attrs.platform ?? '',
    version: node.attrs.version ?? '',
    timestampMs: wireTimeMs(node.attrs.t, 1_000) || Date.now(),
    ...(node.attrs.offline === undefined ? {} : { wasQueued: true }),
    data: { tag: what.tag, attributes: bounded(attrs) },
  }
}

export interface CallInbox {
  readonly ws: Pick<EventEmitter, 'listeners' | 'removeAllListeners' | 'on'>
  /** Returns the number of a LID, if the store knows it. */
  readonly findNumber: (lid: Jid) => Promise<Jid | null>
  readonly emit: (event: CallEvent) => void
  readonly isClosed: () => boolean
  readonly misunderstood: (error: unknown) => void
}

/**
 * Emits calls, with the caller's number where it is known. Each stanza reaches the library, which acknowledges it, when its event is in the
 * journal. Handles stanzas one after the other, so that no end of a call is emitted before its beginning.
 */
export function listenToCalls({ ws, findNumber, emit, isClosed, misunderstood }: CallInbox): void {
  const listeners = ws.listeners('CB:call') as ((node: BinaryNode) => void)[]
  ws.removeAllListeners('CB:call')
  const emitOne = async (node: BinaryNode): Promise<void> => {
    const event = translateCall(node)
    if (event === null) return
    const { lid } = event.from
    // If the store cannot be read, it does not accept the event either, and the network sends the call again.
    const pn = lid === undefined ? null : await findNumber(lid).catch(() => null)
    emit(pn === null ? event : { ...event, from: { ...event.from, pn } })
  }
  const handle = async (node: BinaryNode): Promise<void> => {
    if (isClosed()) return
    await emitOne(node).catch(misunderstood)
    // If the event was not emitted, the network must send the call again.
    if (!isClosed()) for (const listener of listeners) listener(node)
  }
  let turn = Promise.resolve()
  ws.on('CB:call', (node: BinaryNode) => {
    turn = turn.then(() => handle(node)).catch(misunderstood)
  })
}

/** Limits on ids and attributes, which a caller's client chooses. */
const ID_MAX = 200
const ATTRIBUTES_MAX = 30
const ATTRIBUTE_MAX = 500

function bounded(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(attributes).slice(0, ATTRIBUTES_MAX)
  return Object.fromEntries(all.map(([name, value]) => [name.slice(0, 100), String(value).slice(0, ATTRIBUTE_MAX)]))
}

function readCallState(kind: CallEvent['kind'], reason: string | undefined): CallState {
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
