import {
  type AuthenticationCreds,
  type BinaryNode,
  type GroupMetadata,
  isPnUser,
  jidDecode,
  jidEncode,
  jidNormalizedUser,
  unixTimestampSeconds,
  type WASocket,
} from '@whiskeysockets/baileys'
import {
  isTcTokenExpired,
  resolveIssuanceJid,
  storeTcTokensFromIqResult,
} from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import { randomBuffer } from '../../../lib/random.js'
import { withTimeLimit } from '../../../lib/time-limit.js'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { StatusAudience } from '../../../schemas/status-post.js'
import type { NodeCaches } from './caches.js'
import { contactToken, hasContactSalt } from './contact-token.js'
import { relayToChannel } from './direct/channel-relay.js'
import { type DeviceLookUpOptions, findDevices, storedDevices } from './direct/device-look-up.js'
import { encryptForEach, type FanOutOptions, findGroupDevices, relayToGroup } from './direct/group-relay.js'
import { type Device, type DirectMessage, deviceIdentity, relayDirectly } from './direct/relay.js'
import { relayStatus } from './direct/status-relay.js'
import { isRevision } from './outgoing.js'
import type { SignalKeys } from './signal-keys.js'
import type { InTurn } from './signal-mutex.js'
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
  readonly inSlot: InTurn
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
    const { socket, credentials, keys, inSlot, relayInTurn } = session
    const options = { socket, credentials, keys, inSlot, cache: this.#options.devices }
    return await relayInTurn(() =>
      socket.authState.keys.transaction(() => relayStatus(message, people, audience, options), 'relay'),
    )
  }

  /** Makes the stanza of a call to a person, encrypted for each device. @throws GatewayError NOT_ON_NETWORK, NETWORK_REFUSED */
  async offer(call: CallOffer): Promise<BinaryNode> {
    const session = this.#session
    if (session === undefined) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    const { socket, credentials, keys, inSlot, relayInTurn } = session
    const options = { socket, credentials, keys, inSlot, cache: this.#options.devices }
    return await relayInTurn(() => socket.authState.keys.transaction(() => composeOffer(call, options), 'relay'))
  }

  /** Settles what is not settled with the person, and sends directly. Returns false, and has sent nothing, if the library must send the message. */
  async #directly(message: DirectMessage, session: RunningSession): Promise<boolean> {
    const { socket, credentials, keys, inSlot, issueToken } = session
    const devices = (user: string) => this.#options.devices.get<readonly Device[]>(user)
    const options = { socket, credentials, keys, inSlot, issueToken, devices }
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

  #toGroup(message: DirectMessage, { socket, credentials, keys, inSlot, relayInTurn }: RunningSession): Promise<void> {
    const { group, devices: cache } = this.#options
    return relayInTurn(() =>
      socket.authState.keys.transaction(
        () => relayToGroup(message, { socket, credentials, keys, inSlot, group, cache }),
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

interface TokenIssueOptions {
  readonly socket: Pick<WASocket, 'authState' | 'serverProps' | 'signalRepository' | 'issuePrivacyTokens'>
  readonly keys: Pick<SignalKeys, 'get' | 'setLater'>
}

/** Returns a function that issues the privacy token of the account to a person, once at a time. If that fails, the next message does it again, as in the library. */
export function tokenIssue(options: TokenIssueOptions): (to: string) => void {
  const issuing = new Set<string>()
  return (to) => {
    if (issuing.has(to)) return
    issuing.add(to)
    void issue(to, options)
      // Also when the connection has ended meanwhile.
      .catch(() => {})
      .finally(() => issuing.delete(to))
  }
}

/** Issues the token as `relayMessage` of 7.0.0-rc14 does. Stores what came of it with the next write: lost, it is issued again. */
async function issue(to: string, { socket, keys }: TokenIssueOptions): Promise<void> {
  const { lidMapping } = socket.signalRepository
  const findLid = (number: string) => lidMapping.getLIDForPN(number)
  const findNumber = (lid: string) => lidMapping.getPNForLID(lid)
  const senderTimestamp = unixTimestampSeconds()
  const receiver = await resolveIssuanceJid(to, socket.serverProps.lidTrustedTokenIssueToLid, findLid, findNumber)
  const result = await socket.issuePrivacyTokens([receiver], senderTimestamp)
  let { [to]: tokens } = await keys.get('tctoken', [to])
  await storeTcTokensFromIqResult({
    result,
    fallbackJid: to,
    getLIDForPN: findLid,
    // One change instead of two: the token in the answer, and the time at which ours was issued.
    keys: {
      ...socket.authState.keys,
      get: async (kind, ids) => keys.get(kind, ids),
      set: async ({ tctoken }) => {
        tokens = tctoken?.[to] ?? tokens
      },
    },
  })
  keys.setLater({ tctoken: { [to]: { token: Buffer.alloc(0), ...tokens, senderTimestamp } } })
}

interface IntroductionOptions extends DeviceLookUpOptions {
  readonly socket: DeviceLookUpOptions['socket'] & Pick<WASocket, 'assertSessions'>
  readonly keys: DeviceLookUpOptions['keys'] & Pick<SignalKeys, 'learn'>
}

/** Returns true for the LID of another person than the account's own. */
export function isOtherPerson(to: string, { me }: AuthenticationCreds): boolean {
  const [own, other] = [jidDecode(me?.lid), jidDecode(to)]
  return own?.server === 'lid' && other?.server === 'lid' && other.device === undefined && own.user !== other.user
}

/** Returns true if the devices of these people are stored, and a session with each. Then `introduce` asks the network nothing. */
async function isIntroduced(people: readonly string[], options: IntroductionOptions): Promise<boolean> {
  const { socket, credentials, keys } = options
  const stored = await storedDevices(
    people.map((jid) => jidNormalizedUser(jid)),
    options,
  )
  if (stored.size < people.length) return false
  const jids = [...stored.values()].flat().map(({ user, device }) => jidEncode(user, 'lid', device))
  const names = jids
    .filter((jid) => jid !== credentials.me?.lid)
    .map((jid) => socket.signalRepository.jidToSignalProtocolAddress(jid))
  const sessions = await keys.get('session', names)
  return names.every((name) => sessions[name] !== undefined)
}

/**
 * Finds the devices of a person and of this account, and makes the sessions with them that are missing, in the library's order
 * (`relayMessage` of 7.0.0-rc14). Reads all keys that the message needs with one statement.
 */
export async function introduce(to: string, options: IntroductionOptions): Promise<void> {
  const { socket, credentials, keys } = options
  const { me } = credentials
  const own = jidEncode(jidDecode(me?.lid)?.user ?? '', 'lid')
  const found = await findDevices([own, to], options)
  const devices = found.map(({ jid }) => jid).filter((jid) => jid !== me?.lid && jid !== me?.id)
  const sessions = devices.map((jid) => socket.signalRepository.jidToSignalProtocolAddress(jid))
  await keys.learn([
    ...sessions.map((id) => ({ kind: 'session' as const, id })),
    { kind: 'tctoken', id: to },
    { kind: 'lid-mapping', id: `${jidDecode(to)?.user}_reverse` },
  ])
  await socket.assertSessions(devices)
}

interface CallOffer {
  readonly id: string
  /** The person, by LID if it is known. */
  readonly to: string
  readonly isVideo: boolean
}

/** Capabilities of this side, as WhatsApp Web writes them in an offer (zapo `packages/voip`, `signaling.ts`). */
const CAPABILITY = Buffer.from('0105f709e4bb07', 'hex')
const KEY_BYTES = 32

/**
 * Makes the offer of a call with all that the network wants in it: without the key for each device of the person, or their privacy token, it drops
 * the offer and says nothing (tulir/whatsmeow issue 555). The key is of no use here, since no sound follows. Not yet tested against WhatsApp.
 * @throws GatewayError NOT_ON_NETWORK, NETWORK_REFUSED
 */
async function composeOffer({ id, to, isVideo }: CallOffer, options: FanOutOptions): Promise<BinaryNode> {
  const { credentials } = options
  const devices = await findGroupDevices([to], options)
  if (devices.length === 0) throw new GatewayError('NOT_ON_NETWORK')
  const message = { call: { callKey: randomBuffer(KEY_BYTES) } }
  const made = await encryptForEach(devices, message, { count: '0' }, options)
  const destinations = made.flatMap(({ nodes }) => nodes) as BinaryNode[]
  if (destinations.length === 0) {
    const why = 'The network gave no keys of the devices of this person; nobody was rung.'
    throw new GatewayError('NETWORK_REFUSED', { message: why })
  }
  const tellsPreKeys = made.some(({ shouldIncludeDeviceIdentity }) => shouldIncludeDeviceIdentity)
  return {
    tag: 'call',
    attrs: { to },
    content: [
      {
        tag: 'offer',
        attrs: { 'call-id': id, 'call-creator': findCreator(options) },
        content: [
          ...(await privacyToken(to, options)),
          ...['8000', '16000'].map((rate) => ({ tag: 'audio', attrs: { enc: 'opus', rate } })),
          ...(isVideo ? [VIDEO] : []),
          { tag: 'net', attrs: { medium: '3' } },
          { tag: 'capability', attrs: { ver: '1' }, content: CAPABILITY },
          { tag: 'destination', attrs: {}, content: destinations },
          { tag: 'encopt', attrs: { keygen: '2' } },
          ...(tellsPreKeys ? [deviceIdentity(credentials)] : []),
        ],
      },
    ],
  }
}

const VIDEO: BinaryNode = {
  tag: 'video',
  attrs: {
    enc: 'vp8',
    dec: 'vp8',
    orientation: '0',
    screen_width: '1920',
    screen_height: '1080',
    device_orientation: '0',
  },
}

/** Returns this device as the one that calls: by LID, whatever address the person has. */
function findCreator({ credentials: { me } }: FanOutOptions): string {
  return me?.lid ?? me?.id ?? ''
}

/** Returns the token that the person has given this account, if it holds still. */
async function privacyToken(to: string, { keys }: FanOutOptions): Promise<BinaryNode[]> {
  const { [to]: given } = await keys.get('tctoken', [to])
  if (given === undefined || given.token.length === 0 || isTcTokenExpired(given.timestamp)) return []
  return [{ tag: 'privacy', attrs: {}, content: given.token }]
}
