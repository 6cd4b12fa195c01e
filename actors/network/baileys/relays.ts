import { type AuthenticationCreds, type GroupMetadata, isPnUser, type WASocket } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../schemas/errors.js'
import type { NodeCaches } from './caches.js'
import { relayToGroup } from './direct/group-relay.js'
import { type DirectMessage, relayDirectly } from './direct/relay.js'
import type { SignalKeys } from './signal-keys.js'
import type { InTurn } from './signal-turns.js'
import { relaysInTurn } from './transactions.js'

export interface RelayOptions {
  readonly devices: ReturnType<NodeCaches['forInstance']>['userDevicesCache']
  /** @throws when the group cannot be read */
  readonly group: (jid: string) => Promise<GroupMetadata>
}

export interface RelaySession {
  readonly socket: WASocket
  readonly credentials: AuthenticationCreds
  readonly keys: SignalKeys
  readonly inTurn: InTurn
}

interface RunningSession extends RelaySession {
  /** Runs relays one after the other, together with those of the library. */
  readonly relayInTurn: ReturnType<typeof relaysInTurn>
}

/** Encrypts messages and gives them to the socket: directly where that is possible, otherwise through the library. */
export class NetworkRelays {
  readonly #options: RelayOptions
  #session: RunningSession | undefined
  /** Number of messages in the library whose receiver is known by number only. */
  #byNumber = 0

  constructor(options: RelayOptions) {
    this.#options = options
  }

  start(session: RelaySession): void {
    this.#session = { ...session, relayInTurn: relaysInTurn(session.socket.authState.keys) }
  }

  async relay(message: DirectMessage, isToGroup: boolean): Promise<void> {
    const session = this.#session
    if (session === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    if (isToGroup) await this.#toGroup(message, session)
    else if (isPnUser(message.to)) await this.#toNumber(message, session)
    // A receiver that has a LID now may have been a number when the message before this one began to wait in the library.
    else if (this.#byNumber > 0 || !(await this.#directly(message, session))) await byLibrary(message, session)
  }

  #directly(message: DirectMessage, { socket, credentials, keys, inTurn }: RelaySession): Promise<boolean> {
    const { devices } = this.#options
    return relayDirectly(message, { socket, credentials, keys, inTurn, devices: (user) => devices.get(user) })
  }

  async #toNumber(message: DirectMessage, session: RunningSession): Promise<void> {
    this.#byNumber += 1
    try {
      await byLibrary(message, session)
    } finally {
      this.#byNumber -= 1
    }
  }

  #toGroup(message: DirectMessage, { socket, credentials, keys, relayInTurn }: RunningSession): Promise<void> {
    const { group } = this.#options
    return relayInTurn(() =>
      socket.authState.keys.transaction(() => relayToGroup(message, { socket, credentials, keys, group }), 'relay'),
    )
  }
}

function byLibrary({ id, to, message, attributes, nodes }: DirectMessage, session: RunningSession): Promise<unknown> {
  const options = { messageId: id, additionalAttributes: { ...attributes }, additionalNodes: [...nodes] }
  return session.relayInTurn(() => session.socket.relayMessage(to, message, options))
}
