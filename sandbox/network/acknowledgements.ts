/**
 * Checks the acknowledgements of clients as strictly as the network does (oxidezap/whatsapp-rust pull requests 633, 1101 and 1356,
 * vinikjkkj/zapo `src/client/events/call.ts`, Baileys pull request 2779).
 */
import { children, type Node, node } from '../wire/nodes.js'
import type { Device, Session } from './model.js'
import type { Network } from './network.js'

export interface AckProblem {
  device: string
  class: string
  id: string
  problem: string
  atMs: number
}

const PROBLEMS_MAX = 1_000
const COUNTED_MAX = 20_000

/** Receipts with which a client answers the delivery of a message. Others follow later, or ask for the message again. */
const DELIVERED = new Set([undefined, 'inactive', 'sender', 'peer_msg'])

/** Calls that are acknowledged with a receipt. */
const RECEIVED_CALLS = new Set(['offer', 'accept', 'reject', 'enc_rekey'])
const WITHOUT_TYPE = new Set(['encrypt', 'devices'])
/** Stanzas that clients know. Any other is refused with 488. */
const KNOWN = new Set(['message', 'status', 'appdata', 'receipt', 'notification', 'call'])

export class Acknowledgements {
  /** False: acknowledgements as bare Baileys makes them are taken. */
  strict = true
  /** Maximum time for an acknowledgement, after which the stream is ended. The real network waits 50 minutes. */
  deadlineMs: number | undefined
  readonly problems: AckProblem[] = []
  /** Deliveries without an answer, by stanza. */
  readonly #owed = new Map<string, number>()

  constructor(private readonly network: Network) {}

  /** A stanza was sent to a device. */
  sent(session: Session, stanza: Node, isAgain: boolean): void {
    const { device } = session
    const { deadlineMs } = this
    if (!this.#checks(device)) return
    const key = makeKey(device, stanza.tag, stanza.attrs.id)
    this.#set(key, isAgain ? 1 : (this.#owed.get(key) ?? 0) + 1)
    if (deadlineMs === undefined) return
    const timer = setTimeout(() => {
      if (device.session === session && device.pending.has(stanza)) this.#endStream(session, stanza, 'not acknowledged')
    }, deadlineMs)
    timer.unref()
  }

  /** A device acknowledged something. */
  received(session: Session, ack: Node): void {
    const { device } = session
    const { class: tag = '', id = '' } = ack.attrs
    if (this.network.faults.losesAck(device)) return
    this.#answered(device, tag, id)
    const stanza = device.pending.find(
      (one) => one.tag === tag && one.attrs.id === id && one.attrs.from === ack.attrs.to,
    )
    if (stanza === undefined) return
    const problem = this.#checks(device) ? problemIn(stanza, ack) : undefined
    if (problem !== undefined) this.note(device, tag, id, problem)
    if (problem === 'recipient') this.#endStream(session, stanza, 'without recipient')
    else if (problem === 'error' && stanza.attrs.from === 'status@broadcast') device.pending.block(stanza)
    else if (problem === undefined) this.network.confirm(device, stanza)
  }

  /** A device answered a message with a receipt. Returns true for the receipt of a call or of a status post, which goes no further. */
  receipt(session: Session, receipt: Node): boolean {
    const { device } = session
    const { id = '', to, type, class: tag } = receipt.attrs
    const [payload] = children(receipt)
    if (payload !== undefined && RECEIVED_CALLS.has(payload.tag)) {
      this.#answered(device, 'call', id)
      const call = device.pending.find((one) => one.tag === 'call' && one.attrs.id === id && one.attrs.from === to)
      const offered = children(call)[0]
      const isRight = offered?.tag === payload.tag && offered.attrs['call-id'] === payload.attrs['call-id']
      if (call !== undefined && isRight) this.network.confirm(device, call)
      else this.note(device, 'call', id, 'receipt')
      return true
    }
    const status = device.pending.find((one) => one.tag === 'status' && one.attrs.id === id && one.attrs.from === to)
    if (status === undefined) {
      if (DELIVERED.has(type)) this.#answered(device, 'message', id)
      return false
    }
    if (!DELIVERED.has(type)) return true
    this.#answered(device, 'status', id)
    if (tag === 'status' && receipt.attrs.participant === status.attrs.participant) this.network.confirm(device, status)
    else this.note(device, 'status', id, 'class')
    return true
  }

  note(device: Device, tag: string, id: string, problem: string): void {
    this.problems.push({ device: device.label, class: tag, id, problem, atMs: Date.now() })
    if (this.problems.length > PROBLEMS_MAX) this.problems.shift()
  }

  #endStream(session: Session, { tag, attrs }: Node, why: string): void {
    const owed = node('ack', { class: tag, id: attrs.id, type: attrs.type })
    this.network.endSession(session, `${tag} ${why}`, node('stream:error', {}, [owed]))
  }

  #answered(device: Device, tag: string, id: string): void {
    const key = makeKey(device, tag, id)
    const owed = this.#owed.get(key)
    if (owed === undefined || !this.#checks(device)) return
    if (owed === 0) this.note(device, tag, id, 'twice')
    else this.#set(key, owed - 1)
  }

  /** Phones and companions that are played here are not checked. */
  #checks({ noiseKey }: Device): boolean {
    return this.strict && noiseKey !== undefined
  }

  /** Keeps the newest counts. A stanza whose count was dropped may be answered any number of times. */
  #set(key: string, owed: number): void {
    this.#owed.delete(key)
    this.#owed.set(key, owed)
    const [oldest] = this.#owed.keys()
    if (this.#owed.size > COUNTED_MAX && oldest !== undefined) this.#owed.delete(oldest)
  }
}

function makeKey(device: Device, tag: string, id: string | undefined): string {
  return `${device.label} ${tag} ${id}`
}

/** Returns the attribute that is wrong in an acknowledgement. */
function problemIn(stanza: Node, ack: Node): string | undefined {
  const { tag, attrs } = stanza
  const { type, error, participant, recipient } = ack.attrs
  if (recipient !== attrs.recipient) return 'recipient'
  if (participant !== participantFor(stanza)) return 'participant'
  if (!KNOWN.has(tag)) return error === '488' ? undefined : 'error'
  if (error !== undefined && attrs.from === 'status@broadcast') return 'error'
  if (tag === 'call' && RECEIVED_CALLS.has(children(stanza)[0]?.tag ?? '')) return 'receipt'
  const isTypeFree = tag === 'message' || tag === 'status'
  if (type !== typeFor(stanza) && !(isTypeFree && type === undefined)) return 'type'
  return undefined
}

function typeFor(stanza: Node): string | undefined {
  const { tag, attrs } = stanza
  if (tag === 'call') return children(stanza)[0]?.tag
  return tag === 'notification' && WITHOUT_TYPE.has(attrs.type ?? '') ? undefined : attrs.type
}

function participantFor({ tag, attrs: { participant, from } }: Node): string | undefined {
  return tag === 'receipt' && participant === from ? undefined : participant
}
