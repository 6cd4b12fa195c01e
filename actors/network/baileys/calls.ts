import type { EventEmitter } from 'node:events'
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { addressOf, bareJid } from '../../../schemas/jid.js'
import type { CallEvent, CallState, RejectedCall } from '../port.js'
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
 * What the other side's client writes about who rings and where, as our callers may write it (`schemas/jid.ts`): it goes into the event,
 * so anything else, of any length, is not taken.
 */
const PERSON = /^\d{5,20}(_\d{1,3})?(:\d{1,5})?@(lid|s\.whatsapp\.net|c\.us)$/
const GROUP = /^\d{5,25}(-\d{5,15})?@g\.us$/

/**
 * A call stanza as our event; null when it tells a caller nothing (how the two ends agree on the way of the sound).
 *
 * The server makes the stanza's own attributes, so `from` says who it is. What stands in the child the other side's client has written:
 * it is told, as what they say, and nobody's chat or number is known by it. (whatsmeow's `call.go` keeps the two apart alike.)
 *
 * Read from the stanza and not from Baileys' events: those know `timeout` alone of the reasons, and come beside the acknowledgement.
 */
function translateCall(node: BinaryNode): CallEvent | null {
  const [what] = Array.isArray(node.content) ? node.content : []
  const kind = TYPES[what?.tag ?? '']
  const id = what?.attrs['call-id']
  const from = node.attrs.from
  if (what === undefined || kind === undefined || id === undefined || from === undefined) return null
  const { attrs } = what
  const creator = bareJid([attrs['call-creator'], attrs.from].find((one) => PERSON.test(one ?? '')) ?? from)
  const other = alternativeOf(
    creator,
    [attrs.caller_pn, attrs.caller_lid].filter((one) => PERSON.test(one ?? '')),
  )
  const group = [attrs['group-jid'], from].find((one) => GROUP.test(one ?? ''))
  const seconds = Number(node.attrs.t)
  return {
    type: 'call',
    kind,
    state: stateOf(kind, attrs.reason),
    id: id.slice(0, ID_MAX),
    from: addressOf(from),
    creator,
    ...(other === undefined ? {} : { creatorAlternative: other }),
    ...(group === undefined ? {} : { group: group as Jid }),
    isVideo: isOffer(kind) ? hasVideo(what) : null,
    reason: attrs.reason ?? null,
    platform: node.attrs.platform ?? '',
    version: node.attrs.version ?? '',
    timestampMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Date.now(),
    data: { tag: what.tag, attributes: bounded(attrs) },
  }
}

export interface CallInbox {
  readonly ws: Pick<EventEmitter, 'listeners' | 'removeAllListeners' | 'on'>
  /** The number of a LID, when the store knows it. */
  readonly numberOf: (lid: Jid) => Promise<Jid | null>
  readonly tell: (event: CallEvent) => void
  readonly isClosed: () => boolean
  readonly misunderstood: (error: unknown) => void
}

/**
 * Calls are told with the number of who rings where it is known, and reach the library, which acknowledges them, when that is in the
 * journal. One after the other: what ends a call must not be told before its beginning.
 */
export function tellCalls({ ws, numberOf, tell, isClosed, misunderstood }: CallInbox): void {
  const listeners = ws.listeners('CB:call') as ((node: BinaryNode) => void)[]
  ws.removeAllListeners('CB:call')
  const tellOne = async (node: BinaryNode): Promise<void> => {
    const event = translateCall(node)
    if (event === null) return
    const { lid } = event.from
    // A store that cannot be read does not take the event either, and then the call comes again.
    const pn = lid === undefined ? null : await numberOf(lid).catch(() => null)
    tell(pn === null ? event : { ...event, from: { ...event.from, pn } })
  }
  const handle = async (node: BinaryNode): Promise<void> => {
    if (isClosed()) return
    await tellOne(node).catch(misunderstood)
    // Not told, it must come again.
    if (!isClosed()) for (const listener of listeners) listener(node)
  }
  let turn = Promise.resolve()
  ws.on('CB:call', (node: BinaryNode) => {
    turn = turn.then(() => handle(node)).catch(misunderstood)
  })
}

/** What refuses a call, as whatsmeow's `RejectCall`, but for `call-creator`, by which the caller's client knows the call as its own. */
export function rejection(own: string, call: RejectedCall): BinaryNode {
  return {
    tag: 'call',
    attrs: { from: bareJid(own), to: call.to },
    content: [{ tag: 'reject', attrs: { 'call-id': call.id, 'call-creator': call.creator, count: '0' } }],
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
