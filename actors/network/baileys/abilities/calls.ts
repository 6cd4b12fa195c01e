import type { Boom } from '@hapi/boom'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import { bareJid, type ChatAddress, toChatId } from '../../../../schemas/jid.js'
import type { CallLink, CallNetwork, MadeCall, RejectedCall } from '../../port/calls.js'
import { findChild } from '../child-nodes.js'
import type { LiveSocket } from '../live-socket.js'
import type { NetworkRelays } from '../relays.js'

const TIMEOUT_MIN_MS = 1_000
const LINK_TIMEOUT_MS = 20_000
/** Maximum length of the token of a link, which has 22 characters. */
const TOKEN_MAX = 100
// Bound: 100, a token of the network.
const TOKEN = /^[\w-]{1,100}$/

export class BaileysCalls implements CallNetwork {
  readonly #live: LiveSocket
  readonly #relays: Pick<NetworkRelays, 'offer'>

  constructor(live: LiveSocket, relays: Pick<NetworkRelays, 'offer'>) {
    this.#live = live
    this.#relays = relays
  }

  /** Sends its own stanza, because the library's `rejectCall` resolves alike after an acceptance, a refusal and a timeout of a minute. */
  async reject(call: RejectedCall, timeoutMs: number): Promise<void> {
    const answer = await this.#ask(rejection(this.#live.own().jid, call), timeoutMs)
    if (answer === undefined) throw new GatewayError('CALL_REJECT_FAILED', { message: 'error rejecting call: timeout' })
    const code = Number(answer.attrs.error ?? 0)
    if (code === 0) return
    throw new GatewayError('CALL_REJECT_FAILED', {
      message: `error rejecting call: WhatsApp refused it with ${code}`,
      fields: { provider_code: code },
    })
  }

  async ring({ id, to, isVideo }: MadeCall, timeoutMs: number): Promise<void> {
    this.#live.live()
    const offer = await this.#live.whileOpen(this.#relays.offer({ id, to: findAddress(to), isVideo }))
    await this.#accepted(offer, timeoutMs)
  }

  async hangUp({ id, to }: MadeCall, reason: 'timeout' | null, timeoutMs: number): Promise<void> {
    const { jid, lid } = this.#live.own()
    const attrs = { 'call-id': id, 'call-creator': lid ?? jid, ...(reason === null ? {} : { reason }) }
    const stanza = { tag: 'call', attrs: { to: findAddress(to) }, content: [{ tag: 'terminate', attrs }] }
    await this.#accepted(stanza, timeoutMs)
  }

  /** Sends its own stanza, because the library's `createCallLink` hides a refusal. */
  async createLink({ isVideo, startMs }: CallLink): Promise<string> {
    const event = startMs === null ? [] : [{ tag: 'event', attrs: { start_time: String(Math.floor(startMs / 1000)) } }]
    const media = isVideo ? 'video' : 'audio'
    const stanza = {
      tag: 'call',
      attrs: { to: '@call' },
      content: [{ tag: 'link_create', attrs: { media }, content: event }],
    }
    const token = findChild(await this.#accepted(stanza, LINK_TIMEOUT_MS), 'link_create')?.attrs.token ?? ''
    if (token.length > TOKEN_MAX || !TOKEN.test(token)) throw new GatewayError('OUTCOME_UNKNOWN')
    return `https://call.whatsapp.com/${isVideo ? 'video' : 'voice'}/${token}`
  }

  /** @throws GatewayError NETWORK_REFUSED, OUTCOME_UNKNOWN */
  async #accepted(stanza: BinaryNode, timeoutMs: number): Promise<BinaryNode> {
    const answer = await this.#ask(stanza, timeoutMs, true)
    if (answer === undefined) throw new GatewayError('OUTCOME_UNKNOWN')
    const code = Number(answer.attrs.error ?? 0)
    if (code === 0) return answer
    throw new GatewayError('NETWORK_REFUSED', {
      message: `The network refused it (${code}); nothing was changed.`,
      fields: { provider: 'whatsapp', provider_code: code },
    })
  }

  /** Returns the network's answer, or undefined if none came in time. */
  async #ask(stanza: BinaryNode, timeoutMs: number, isChange = false): Promise<BinaryNode | undefined> {
    const socket = this.#live.live()
    return await this.#live.whileOpen(
      socket.query(stanza, Math.max(timeoutMs, TIMEOUT_MIN_MS)).catch((error: unknown) => {
        if ((error as Partial<Boom>).output?.statusCode === 408) return undefined
        throw error
      }) as Promise<BinaryNode | undefined>,
      isChange,
    )
  }
}

function findAddress(person: ChatAddress): string {
  return person.lid ?? toChatId(person)
}

/** Makes the stanza of whatsmeow's `RejectCall`, except for `call-creator`: by it the caller's client recognizes the call. */
function rejection(own: string, call: RejectedCall): BinaryNode {
  return {
    tag: 'call',
    attrs: { from: bareJid(own), to: call.to },
    content: [{ tag: 'reject', attrs: { 'call-id': call.id, 'call-creator': call.creator, count: '0' } }],
  }
}
