import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import type { FetchedLimits, LimitsNetwork } from '../../port/limits.js'
import { readCap, readReachout } from '../account-limits.js'
import type { LiveSocket } from '../live-socket.js'
import { queryMex } from '../mex.js'

export class BaileysLimits implements LimitsNetwork {
  readonly #live: LiveSocket

  constructor(live: LiveSocket) {
    this.#live = live
  }

  async fetch(): Promise<FetchedLimits> {
    const input = { type: 'INDIVIDUAL_NEW_CHAT_MSG' }
    const [reachout, cap] = await Promise.all([
      this.#lookUp(async () => readReachout((await this.#query('reachoutTimelock', {})) ?? null)),
      this.#lookUp(async () => readCap((await this.#query('messageCapping', { input })) ?? null)),
    ])
    const errors = {
      ...(reachout.error === undefined ? {} : { reachout: reachout.error }),
      ...(cap.error === undefined ? {} : { cap: cap.error }),
    }
    return { reachout: reachout.value, cap: cap.value, errors }
  }

  async #query(name: 'reachoutTimelock' | 'messageCapping', variables: Readonly<Record<string, unknown>>) {
    const socket = this.#live.live()
    const ask = (request: BinaryNode) => this.#live.whileOpen(socket.query(request) as Promise<BinaryNode>)
    const data = await queryMex(ask, name, variables)
    return data[name === 'reachoutTimelock' ? 'xwa2_fetch_account_reachout_timelock' : 'xwa2_message_capping_info']
  }

  /** Returns the code of a refusal in `error`. Throws if the connection is over. */
  async #lookUp<T>(work: () => Promise<T | null>): Promise<{ readonly value: T | null; readonly error?: string }> {
    try {
      return { value: await work() }
    } catch (error) {
      const isRefusal = error instanceof GatewayError && error.code === 'NETWORK_REFUSED'
      if (error instanceof GatewayError && !isRefusal) throw error
      const code = isRefusal ? error.fields.provider_code : (error as { data?: unknown }).data
      return { value: null, error: code === undefined ? 'no answer' : String(code) }
    }
  }
}
