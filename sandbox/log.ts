/** Records every login, a bounded ring of frames, and every stanza that carries a message's id. */
import type { Session } from './network/model.js'
import type { Upgrade } from './wire/connection.js'
import { children, type Node } from './wire/nodes.js'

export interface LoginRecord {
  login: number
  /** `number:device` */
  device: string
  phoneNumber: string
  deviceId: number
  /** From the websocket upgrade: `x-posthorn-node`, `x-posthorn-epoch`. */
  node: string | null
  epoch: string | null
  upgradedAtMs: number
  atMs: number
  endedAtMs: number | null
  /** Why it ended: `closed`, `conflict`, `failure 401`, `stream error 500`, … */
  end: string | null
  frames: number
  lastFrameAtMs: number | null
  /** Frames accepted after a newer login of the same device took over. */
  lateFrames: number
  lastLateFrameAtMs: number | null
}

/** A connection that arrived at a server of the network. The port tells who came through a proxy. */
export interface Arrival {
  to: 'websocket' | 'media'
  port: number
}

export interface FrameRecord {
  sequence: number
  atMs: number
  direction: 'in' | 'out'
  /** The login it belongs to; 0 before login (pairing) and for phones. */
  login: number
  device: string
  tag: string
  id: string | undefined
  type: string | undefined
  class: string | undefined
  from: string | undefined
  to: string | undefined
  participant: string | undefined
  /** How a message changes another. */
  edit: string | undefined
  recipient: string | undefined
  error: string | undefined
  offline: string | undefined
  xmlns: string | undefined
  child: string | undefined
  sizeBytes: number
  late: boolean
}

export interface FrameFilter {
  device?: string | undefined
  tag?: string | undefined
  id?: string | undefined
  type?: string | undefined
  direction?: string | undefined
  after?: number | undefined
  limit?: number | undefined
}

const FRAMES_MAX = 20_000
const MESSAGE_IDS_MAX = 20_000
const NOTES_MAX = 20_000

export class TrafficLog {
  readonly arrivals: Arrival[] = []
  readonly logins: LoginRecord[] = []
  readonly #frames: FrameRecord[] = []
  #oldest = 0
  #sequence = 0
  readonly #byMessageId = new Map<string, FrameRecord[]>()
  readonly #retries: FrameRecord[] = []
  readonly #notificationAcks: FrameRecord[] = []

  /** Notes a connection to a server of the network. */
  arrived(to: Arrival['to'], port = 0): void {
    keep(this.arrivals, { to, port })
  }

  /** Opens a record for a login, refused ones included; returns its number. */
  openLogin(phoneNumber: string, deviceId: number, upgrade: Upgrade): number {
    const login = this.logins.length + 1
    this.logins.push({
      login,
      device: `${phoneNumber}:${deviceId}`,
      phoneNumber,
      deviceId,
      node: upgrade.nodeName ?? null,
      epoch: upgrade.epoch ?? null,
      upgradedAtMs: upgrade.atMs,
      atMs: Date.now(),
      endedAtMs: null,
      end: null,
      frames: 0,
      lastFrameAtMs: null,
      lateFrames: 0,
      lastLateFrameAtMs: null,
    })
    return login
  }

  /** Closes a login record; the first reason stays. */
  closeLogin(login: number, reason: string): void {
    const record = this.logins[login - 1]
    if (!record) return
    record.end ??= reason
    record.endedAtMs ??= Date.now()
  }

  /** Says why a login is about to end, before its socket is seen closed. */
  explainEnd(login: number, reason: string): void {
    const record = this.logins[login - 1]
    if (record) record.end ??= reason
  }

  frame(direction: 'in' | 'out', source: Session | string, stanza: Node, sizeBytes: number): void {
    const session = typeof source === 'string' ? undefined : source
    const { attrs } = stanza
    const late = direction === 'in' && session !== undefined && session.device.session !== session
    const record: FrameRecord = {
      sequence: ++this.#sequence,
      atMs: Date.now(),
      direction,
      login: session?.login ?? 0,
      device: session ? session.device.label : (source as string),
      tag: stanza.tag,
      id: attrs.id,
      type: attrs.type,
      class: attrs.class,
      from: attrs.from,
      to: attrs.to,
      participant: attrs.participant,
      edit: attrs.edit,
      recipient: attrs.recipient,
      error: attrs.error,
      offline: attrs.offline,
      xmlns: attrs.xmlns,
      child: Array.isArray(stanza.content) ? stanza.content[0]?.tag : undefined,
      sizeBytes,
      late,
    }
    this.#countFor(record, late)
    this.#ring(record)
    this.#index(record, stanza)
  }

  frames(filter: FrameFilter): FrameRecord[] {
    const limit = filter.limit ?? 1_000
    const found: FrameRecord[] = []
    for (let index = 0; index < this.#frames.length && found.length < limit; index++) {
      const record = this.#frames[(this.#oldest + index) % this.#frames.length]
      if (record && matches(record, filter)) found.push(record)
    }
    return found
  }

  /** All stanzas that carry this message id, in order: messages, receipts, acks, in both directions. */
  stanzas(messageId: string): FrameRecord[] {
    return this.#byMessageId.get(messageId) ?? []
  }

  retryReceipts(): readonly FrameRecord[] {
    return this.#retries
  }

  notificationAcks(): readonly FrameRecord[] {
    return this.#notificationAcks
  }

  #countFor(record: FrameRecord, late: boolean): void {
    const login = record.direction === 'in' ? this.logins[record.login - 1] : undefined
    if (!login) return
    login.frames++
    login.lastFrameAtMs = record.atMs
    if (late) {
      login.lateFrames++
      login.lastLateFrameAtMs = record.atMs
    }
  }

  #ring(record: FrameRecord): void {
    if (this.#frames.length < FRAMES_MAX) {
      this.#frames.push(record)
      return
    }
    this.#frames[this.#oldest] = record
    this.#oldest = (this.#oldest + 1) % FRAMES_MAX
  }

  #index(record: FrameRecord, stanza: Node): void {
    const { tag } = record
    if (record.direction === 'in' && tag === 'receipt' && record.type === 'retry') keep(this.#retries, record)
    if (record.direction === 'in' && tag === 'ack' && record.class === 'notification')
      keep(this.#notificationAcks, record)
    const aboutMessage = tag === 'message' || tag === 'receipt' || (tag === 'ack' && record.class !== 'notification')
    if (!aboutMessage || record.id === undefined) return
    this.#indexId(record.id, record)
    if (tag !== 'receipt') return
    for (const list of children(stanza, 'list'))
      for (const item of children(list, 'item')) if (item.attrs.id) this.#indexId(item.attrs.id, record)
  }

  #indexId(id: string, record: FrameRecord): void {
    const known = this.#byMessageId.get(id)
    if (known) {
      known.push(record)
      return
    }
    this.#byMessageId.set(id, [record])
    if (this.#byMessageId.size <= MESSAGE_IDS_MAX) return
    const [oldest] = this.#byMessageId.keys()
    if (oldest !== undefined) this.#byMessageId.delete(oldest)
  }
}

function keep<T>(notes: T[], record: T): void {
  notes.push(record)
  if (notes.length > NOTES_MAX) notes.shift()
}

function matches(record: FrameRecord, filter: FrameFilter): boolean {
  return (
    (filter.after === undefined || record.sequence > filter.after) &&
    (filter.device === undefined || record.device === filter.device || record.device.startsWith(`${filter.device}:`)) &&
    (filter.tag === undefined || record.tag === filter.tag) &&
    (filter.id === undefined || record.id === filter.id) &&
    (filter.type === undefined || record.type === filter.type) &&
    (filter.direction === undefined || record.direction === filter.direction)
  )
}
