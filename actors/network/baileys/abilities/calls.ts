import type { Boom } from '@hapi/boom'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import { bareJid } from '../../../../schemas/jid.js'
import type { CallNetwork, RejectedCall } from '../../port/calls.js'
import type { LiveSocket } from '../live-socket.js'

const TIMEOUT_MIN_MS = 1_000

export class BaileysCalls implements CallNetwork {
  readonly #live: LiveSocket

  constructor(live: LiveSocket) {
    this.#live = live
  }

  /** Sends its own stanza, because the library's `rejectCall` resolves alike after an acceptance, a refusal and a timeout of a minute. */
  async reject(call: RejectedCall, timeoutMs: number): Promise<void> {
    const socket = this.#live.live()
    const answer = await this.#live.whileOpen(
      socket
        .query(rejection(this.#live.own().jid, call), Math.max(timeoutMs, TIMEOUT_MIN_MS))
        .catch((error: unknown) => {
          if ((error as Partial<Boom>).output?.statusCode === 408) return undefined
          throw error
        }) as Promise<BinaryNode | undefined>,
    )
    if (answer === undefined) throw new GatewayError('CALL_REJECT_FAILED', { message: 'error rejecting call: timeout' })
    const code = Number(answer.attrs.error ?? 0)
    if (code === 0) return
    throw new GatewayError('CALL_REJECT_FAILED', {
      message: `error rejecting call: the network refused it with ${code}`,
      fields: { provider_code: code },
    })
  }
}

/** Makes the stanza of whatsmeow's `RejectCall`, except for `call-creator`: by it the caller's client recognizes the call. */
function rejection(own: string, call: RejectedCall): BinaryNode {
  return {
    tag: 'call',
    attrs: { from: bareJid(own), to: call.to },
    content: [{ tag: 'reject', attrs: { 'call-id': call.id, 'call-creator': call.creator, count: '0' } }],
  }
}
