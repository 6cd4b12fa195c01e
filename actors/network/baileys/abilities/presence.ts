import { GatewayError } from '../../../../schemas/errors.js'
import { type ChatAddress, chatIdOf } from '../../../../schemas/jid.js'
import type { AccountPresence } from '../../../../schemas/presence-kind.js'
import type { PresenceNetwork } from '../../port/presence.js'
import type { LiveSocket } from '../live-socket.js'

export class BaileysPresence implements PresenceNetwork {
  readonly #live: LiveSocket

  constructor(live: LiveSocket) {
    this.#live = live
  }

  async show(presence: AccountPresence): Promise<void> {
    const socket = this.#live.live()
    // Without a name the library sends nothing and says nothing.
    if (!this.#live.credentials?.me?.name) throw new GatewayError('PROFILE_NAME_UNKNOWN')
    await this.#live.whileOpen(socket.sendPresenceUpdate(presence))
  }

  async subscribe(person: ChatAddress): Promise<void> {
    const socket = this.#live.live()
    await this.#live.whileOpen(socket.presenceSubscribe(person.lid ?? chatIdOf(person)))
  }
}
