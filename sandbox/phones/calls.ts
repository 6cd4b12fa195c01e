/** The calls of a phone: those it makes, and what it shows of those that come. */
import { randomBytes } from 'node:crypto'
import { bytes, child, children, type Node, node } from '../wire/nodes.js'
import { findRecipient } from './outbox.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'

export interface ShownCall {
  readonly id: string
  /** The number of the other side; of a group call the group. */
  readonly with: string
  readonly direction: 'in' | 'out'
  readonly video: boolean
  state: 'ringing' | 'accepted' | 'rejected' | 'ended'
  /** Why it ended, as the network says it: `timeout`, `accepted_elsewhere`, … */
  reason: string | null
  readonly atMs: number
}

export class Calls {
  readonly all = new Map<string, ShownCall>()
  /** Where stanzas of a call go, and who began it. */
  readonly #routes = new Map<string, { to: string; creator: string }>()

  constructor(private readonly phone: Phone) {}

  /** Rings a number or a group. */
  call(to: string, video: boolean): ShownCall {
    const { phone } = this
    const group = phone.network.groups.get(to)
    const space = group?.addressing ?? phone.settings.addressing
    const jid = group?.jid ?? findRecipient(phone, to).jid(space)
    const id = randomBytes(16).toString('hex').toUpperCase()
    const creator = phone.device.jid(space)
    const media = [node('audio', { enc: 'opus', rate: '16000' }), ...(video ? [node('video', { enc: 'vp8' })] : [])]
    const shown = this.#show(id, group?.jid ?? findRecipient(phone, to).phoneNumber, 'out', video)
    this.#routes.set(id, { to: jid, creator })
    this.#transmit(id, 'offer', {}, media)
    return shown
  }

  accept(id: string): void {
    this.#ringing(id).state = 'accepted'
    this.#transmit(id, 'accept', {})
  }

  reject(id: string): void {
    this.#ringing(id).state = 'rejected'
    this.#transmit(id, 'reject', { count: '0' })
  }

  /** Hangs up; `timeout` is what a phone says that rang long enough. */
  hangUp(id: string, reason?: string): void {
    const call = this.#known(id)
    call.state = 'ended'
    call.reason = reason ?? null
    this.#transmit(id, 'terminate', { reason })
  }

  async receive(stanza: Node): Promise<void> {
    const [what] = children(stanza)
    const id = what?.attrs['call-id']
    if (what === undefined || id === undefined) return
    if (what.tag === 'offer' && !(await this.#hasKey(what))) return
    if (what.tag === 'offer' || what.tag === 'offer_notice') this.#offered(stanza, what, id)
    const call = this.all.get(id)
    if (call === undefined) return
    if (what.tag === 'accept') call.state = 'accepted'
    if (what.tag === 'reject') call.state = 'rejected'
    if (what.tag !== 'terminate') return
    call.state = 'ended'
    call.reason = what.attrs.reason ?? null
  }

  /** Whether the key of a client's call can be read. Without it a phone does not ring. Phones here send none. */
  async #hasKey(offer: Node): Promise<boolean> {
    const encrypted = child(offer, 'enc')
    const caller = this.phone.network.directory.device(offer.attrs['call-creator'])
    if (caller === undefined || caller.id === 0) return true
    if (encrypted === undefined) throw new PhoneError(400, 'The offer of a call has no key for this device.')
    const message = await this.phone.signal.decrypt(caller, encrypted.attrs.type as 'msg' | 'pkmsg', bytes(encrypted))
    if (message.call?.callKey?.length !== 32) throw new PhoneError(400, 'The offer of a call has no key of 32 bytes.')
    return true
  }

  #offered(stanza: Node, offer: Node, id: string): void {
    const { from = '' } = stanza.attrs
    const caller = this.phone.network.directory.resolve(from)?.account.phoneNumber ?? from
    const video = offer.attrs.media === 'video' || children(offer).some(({ tag }) => tag === 'video')
    this.#show(id, offer.attrs['group-jid'] ?? caller, 'in', video)
    this.#routes.set(id, { to: from, creator: offer.attrs['call-creator'] ?? from })
  }

  #show(id: string, other: string, direction: 'in' | 'out', video: boolean): ShownCall {
    const call: ShownCall = { id, with: other, direction, video, state: 'ringing', reason: null, atMs: Date.now() }
    this.all.set(id, call)
    return call
  }

  #transmit(id: string, tag: string, attributes: Record<string, string | undefined>, content?: Node[]): void {
    const route = this.#routes.get(id)
    if (route === undefined) throw new PhoneError(404, `No call ${id} is known to this phone.`)
    const what = node(tag, { 'call-id': id, 'call-creator': route.creator, ...attributes }, content)
    this.phone.transmit(node('call', { to: route.to, id: this.phone.network.makeId() }, [what]))
  }

  #known(id: string): ShownCall {
    const call = this.all.get(id)
    if (call === undefined) throw new PhoneError(404, `No call ${id} is known to this phone.`)
    return call
  }

  #ringing(id: string): ShownCall {
    const call = this.#known(id)
    if (call.direction === 'out' || call.state !== 'ringing') throw new PhoneError(409, 'The call does not ring here.')
    return call
  }
}
