import {
  type AuthenticationCreds,
  type BinaryNode,
  type GroupMetadata,
  isPnUser,
  jidDecode,
  type WASocket,
} from '@whiskeysockets/baileys'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { StatusAudience } from '../../../schemas/status-post.js'
import { withTimeLimit } from '../../../schemas/time-limit.js'
import type { NodeCaches } from './caches.js'
import { contactToken, hasContactSalt } from './contact-token.js'
import { type CallOffer, composeOffer } from './direct/call-offer.js'
import { relayToChannel } from './direct/channel-relay.js'
import { relayToGroup } from './direct/group-relay.js'
import { introduce, isIntroduced, isOtherPerson } from './direct/introduction.js'
import { type Device, type DirectMessage, relayDirectly } from './direct/relay.js'
import { relayStatus } from './direct/status-relay.js'
import { tokenIssue } from './direct/token-issue.js'
import { isRevision } from './outgoing.js'
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
  readonly issueToken: ReturnType<typeof tokenIssue>
}

/** Maximum time for which a message waits for what the network tells before its row is written. Its relay goes on to ask. */
const PREPARE_MAX_MS = 2_000

/** Encrypts messages and gives them to the socket: directly where that is possible, otherwise through the library. */
export class NetworkRelays {
  readonly #options: RelayOptions
  /** Introductions under way, by person. */
  readonly #introductions = new Map<string, Promise<void>>()
  #session: RunningSession | undefined
  /** Number of messages in the library whose receiver is known by number only. */
  #byNumber = 0

  constructor(options: RelayOptions) {
    this.#options = options
  }

  start(session: RelaySession): void {
    const relayInTurn = relaysInTurn(session.socket.authState.keys)
    this.#session = { ...session, relayInTurn, issueToken: tokenIssue(session) }
  }

  /** Returns false if `prepare` would ask the network for devices or keys. */
  async isSettled(to: string): Promise<boolean> {
    const session = this.#session
    if (session === undefined || !isOtherPerson(to, session.credentials)) return true
    const unknown = [session.credentials.me?.lid ?? '', to].filter((jid) => !this.#knowsDevices(jid))
    return unknown.length === 0 || (await isIntroduced(unknown, { ...session, cache: this.#options.devices }))
  }

  /**
   * Settles what a message to this person needs, so that its row and its keys are one transaction. Never rejects: what fails here is tried
   * again, and reported, when the message is relayed.
   */
  async prepare(to: string): Promise<void> {
    const session = this.#session
    if (session === undefined || this.#byNumber > 0 || !isOtherPerson(to, session.credentials)) return
    if (this.#knowsDevices(session.credentials.me?.lid) && this.#knowsDevices(to)) return
    await withTimeLimit(
      this.#introduce(to, session).catch(() => {}),
      PREPARE_MAX_MS,
      () => {},
    )
  }

  async relay(message: DirectMessage, isToGroup: boolean): Promise<void> {
    const session = this.#session
    if (session === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    if (isChannelJid(message.to)) await relayToChannel(message, session.socket)
    else if (isToGroup) await this.#toGroup(message, session)
    else if (isPnUser(message.to)) await this.#toNumber(message, session)
    // A receiver that has a LID may have been a number when the message before this one began to wait in the library.
    else if (this.#byNumber > 0 || !(await this.#directly(message, session))) await byLibrary(message, session)
  }

  /** Sends a status post to some people. Returns false, and sends nothing, if none of them has a device. */
  async post(message: DirectMessage, people: readonly string[], audience: StatusAudience): Promise<boolean> {
    const session = this.#session
    if (session === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    const { socket, credentials, keys, inTurn, relayInTurn } = session
    const options = { socket, credentials, keys, inTurn, cache: this.#options.devices }
    return await relayInTurn(() =>
      socket.authState.keys.transaction(() => relayStatus(message, people, audience, options), 'relay'),
    )
  }

  /** Makes the stanza of a call to a person, encrypted for each device. @throws GatewayError NOT_ON_NETWORK, NETWORK_REFUSED */
  async offer(call: CallOffer): Promise<BinaryNode> {
    const session = this.#session
    if (session === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    const { socket, credentials, keys, inTurn, relayInTurn } = session
    const options = { socket, credentials, keys, inTurn, cache: this.#options.devices }
    return await relayInTurn(() => socket.authState.keys.transaction(() => composeOffer(call, options), 'relay'))
  }

  /** Settles what is not settled with the person, and sends directly. Returns false, and has sent nothing, if the library must send the message. */
  async #directly(message: DirectMessage, session: RunningSession): Promise<boolean> {
    const { socket, credentials, keys, inTurn, issueToken } = session
    const devices = (user: string) => this.#options.devices.get<readonly Device[]>(user)
    const options = { socket, credentials, keys, inTurn, issueToken, devices }
    if (await relayDirectly(message, options)) return true
    if (!isOtherPerson(message.to, credentials)) return false
    // Also before the library sends an edit: it would begin a new session with each person whose devices it asks for.
    if (!isRevision(message.message) || !this.#knowsDevices(message.to)) await this.#introduce(message.to, session)
    return await relayDirectly(message, options)
  }

  /** Meets each person once at a time, and several people at once, but not before the account's own devices are known: they are the same for all. */
  #introduce(to: string, session: RunningSession): Promise<void> {
    const running = this.#introductions.get(to)
    if (running !== undefined) return running
    const { socket, relayInTurn } = session
    const meet = () => introduce(to, { ...session, cache: this.#options.devices })
    const met = this.#knowsDevices(session.credentials.me?.lid)
      ? meet()
      : relayInTurn(() => socket.authState.keys.transaction(meet, 'relay'))
    const introduced = met.finally(() => this.#introductions.delete(to))
    this.#introductions.set(to, introduced)
    return introduced
  }

  #knowsDevices(jid: string | undefined): boolean {
    return this.#options.devices.get(jidDecode(jid)?.user ?? '') !== undefined
  }

  async #toNumber(message: DirectMessage, session: RunningSession): Promise<void> {
    this.#byNumber += 1
    try {
      await byLibrary(message, session)
    } finally {
      this.#byNumber -= 1
    }
  }

  #toGroup(message: DirectMessage, { socket, credentials, keys, inTurn, relayInTurn }: RunningSession): Promise<void> {
    const { group, devices: cache } = this.#options
    return relayInTurn(() =>
      socket.authState.keys.transaction(
        () => relayToGroup(message, { socket, credentials, keys, inTurn, group, cache }),
        'relay',
      ),
    )
  }
}

function byLibrary({ id, to, message, attributes, nodes }: DirectMessage, session: RunningSession): Promise<unknown> {
  return session.relayInTurn(async () => {
    const additionalNodes = [...nodes, ...(await tokenFor(to, session))]
    return await session.socket.relayMessage(to, message, {
      messageId: id,
      additionalAttributes: { ...attributes },
      additionalNodes,
    })
  })
}

/** Returns the token of a first contact, which the library does not know. Looks up the LID of a number as the library does behind it. */
async function tokenFor(to: string, { socket, credentials, keys }: RunningSession): Promise<BinaryNode[]> {
  if (!hasContactSalt(credentials)) return []
  const lid = isPnUser(to) ? await socket.signalRepository.lidMapping.getLIDForPN(to) : to
  if (!lid || !isOtherPerson(lid, credentials)) return []
  const { [lid]: given } = await keys.get('tctoken', [lid])
  return contactToken(credentials, lid, given)
}
