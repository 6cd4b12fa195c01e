import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import type { FetchedLimits, LimitsNetwork } from '../../port/limits.js'
import { readCap, readReachout } from '../account-limits.js'
import type { LiveSocket } from '../live-socket.js'
import { queryMex } from '../mex.js'
import { readOwnUsername } from '../usernames.js'

/** Fields of the answers. */
const ANSWERS = {
  messageCapping: 'xwa2_message_capping_info',
  ownUsername: 'xwa2_username_get',
  reachoutTimelock: 'xwa2_fetch_account_reachout_timelock',
} as const

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
      this.#askForUsername(),
    ])
    const errors = {
      ...(reachout.error === undefined ? {} : { reachout: reachout.error }),
      ...(cap.error === undefined ? {} : { cap: cap.error }),
    }
    return { reachout: reachout.value, cap: cap.value, errors }
  }

  /** Emits the username of the account, which changes as seldom as the restrictions. The network answers 404 if there is none; another refusal changes nothing. */
  async #askForUsername(): Promise<void> {
    const { value, error } = await this.#lookUp(() => this.#query('ownUsername', {}))
    const username = error === '404' ? '' : readOwnUsername(value)
    if (username !== null) this.#live.emit({ type: 'ownUsername', username })
  }

  async #query(name: keyof typeof ANSWERS, variables: Readonly<Record<string, unknown>>) {
    const socket = this.#live.live()
    const ask = (request: BinaryNode) => this.#live.whileOpen(socket.query(request) as Promise<BinaryNode>)
    const data = await queryMex(ask, name, variables, this.#live.queries)
    return data[ANSWERS[name]]
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
