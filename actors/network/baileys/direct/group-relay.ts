import {
  type AuthenticationCreds,
  type GroupMetadata,
  isHostedLidUser,
  isHostedPnUser,
  jidDecode,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { KeyName, SignalKeys } from '../signal-keys.js'
import type { InTurn } from '../signal-mutex.js'
import { type DeviceLookUpOptions, findDevices } from './device-look-up.js'
import { ciphertextAttributes, findStanzaType } from './message-kind.js'
import type { StoredRecord } from './ratchet.js'
import { type DirectMessage, deviceIdentity, padded, reportingNode, stepRatchet, toWriter } from './relay.js'
import { EncodedNodes, type Stanza, stanzaBytes } from './stanza-bytes.js'

export interface FanOutOptions {
  readonly socket: Pick<
    WASocket,
    'sendRawMessage' | 'signalRepository' | 'executeUSyncQuery' | 'assertSessions' | 'createParticipantNodes'
  >
  readonly credentials: AuthenticationCreds
  readonly keys: Pick<SignalKeys, 'get' | 'set' | 'setLater' | 'learn'>
  readonly cache: DeviceLookUpOptions['cache']
  readonly inSlot: InTurn
  /** Maximum number of people in one request to the network. Default 128. */
  readonly peopleAtOnce?: number
}

export interface GroupRelayOptions extends FanOutOptions {
  /** @throws when the group cannot be read */
  readonly group: (jid: string) => Promise<GroupMetadata>
}

/**
 * Maximum number of people in one request to the network, and in one step of the encoding. The library decodes an answer in one piece: the
 * prekeys of 1,024 people block the event loop for 40 to 80 ms.
 */
const PEOPLE_AT_ONCE = 128

const NONE: Distribution = { nodes: [], shouldIncludeDeviceIdentity: false }

/** Number of the devices of hosted accounts, which get no sender keys (`relayMessage` of 7.0.0-rc14). */
const HOSTED_DEVICE = 99

/**
 * Sends a message to a group as the library's `relayMessage` does (7.0.0-rc14), but blocks the event loop for shorter times: it asks the network
 * about some people at a time, and encodes their nodes in steps. The library's encoder takes 23 to 70 ms in one piece for the first message to
 * 1,024 members. Writes the list of devices with the sender key only if a device was added. The caller keeps the order of relays.
 */
export async function relayToGroup(message: DirectMessage, options: GroupRelayOptions): Promise<void> {
  const { credentials, keys, socket } = options
  const { to: group, message: content } = message
  const { participants: members, ephemeralDuration, addressingMode = 'lid' } = await options.group(group)
  const devices = await findGroupDevices(
    members.map(({ id }) => id),
    options,
  )
  const { [group]: holders = {} } = await keys.get('sender-key-memory', [group])
  const { ciphertext, senderKeyDistributionMessage } = await socket.signalRepository.encryptGroupMessage({
    group,
    data: padded(message.bytes),
    meId: ownIdentity(credentials, addressingMode),
  })
  const attributes = ciphertextAttributes(content)
  const strangers = devices.filter((jid) => !holders[jid])
  const { nodes, tellsPreKeys } = await distribute(group, strangers, senderKeyDistributionMessage, attributes, options)
  if (strangers.length > 0) {
    if (nodes.length === 0 && strangers.length === devices.length)
      throw new Error('No device of the group can receive messages.')
    // Reads the list again, because a device that could not decrypt may have requested the key meanwhile.
    const { [group]: newest = {} } = await keys.get('sender-key-memory', [group])
    const all = { ...newest, ...Object.fromEntries(strangers.map((jid) => [jid, true])) }
    await keys.set({ 'sender-key-memory': { [group]: all } })
  }
  const stanza: Stanza = {
    tag: 'message',
    attrs: {
      id: message.id,
      to: group,
      type: findStanzaType(content),
      ...message.attributes,
      ...(ephemeralDuration ? { expiration: String(ephemeralDuration) } : {}),
      addressing_mode: addressingMode,
    },
    content: [
      { tag: 'enc', attrs: { v: '2', type: 'skmsg', ...attributes }, content: ciphertext },
      ...(nodes.length === 0 ? [] : [{ tag: 'participants', attrs: {}, content: nodes }]),
      ...(tellsPreKeys ? [deviceIdentity(credentials)] : []),
      ...(await reportingNode(message)),
      ...message.nodes,
    ],
  }
  await socket.sendRawMessage(stanzaBytes(stanza))
}

/** Returns the JIDs of these people's devices that accept sender keys; a list from memory has this device, too. */
export async function findGroupDevices(people: readonly string[], options: FanOutOptions): Promise<string[]> {
  const found: string[] = []
  for (const some of inPieces(people, options.peopleAtOnce)) {
    for (const { jid, device } of await findDevices(some, options))
      if (!isHostedLidUser(jid) && !isHostedPnUser(jid) && device !== HOSTED_DEVICE) found.push(jid)
  }
  return [...new Set(found)]
}

interface Distribution {
  readonly nodes: readonly Stanza[]
  readonly shouldIncludeDeviceIdentity: boolean
}

/**
 * Encrypts the sender key for these devices, each through its session, and writes the sessions of some devices in one piece. Leaves out devices
 * for which that fails, as the library does.
 */
export async function distribute(
  group: string,
  devices: readonly string[],
  senderKey: Uint8Array,
  attributes: Record<string, string>,
  options: FanOutOptions,
): Promise<{ readonly nodes: readonly EncodedNodes[]; readonly tellsPreKeys: boolean }> {
  const message = {
    senderKeyDistributionMessage: { axolotlSenderKeyDistributionMessage: senderKey, groupId: group },
  }
  const nodes: EncodedNodes[] = []
  let tellsPreKeys = false
  for (const some of inPieces(devices, options.peopleAtOnce)) {
    for (const made of await encryptForEach(some, message, attributes, options)) {
      if (made.nodes.length > 0) nodes.push(new EncodedNodes(made.nodes))
      tellsPreKeys ||= made.shouldIncludeDeviceIdentity
    }
  }
  return { nodes, tellsPreKeys }
}

/** Encrypts a message for each of these devices through its session. Leaves out devices for which that fails, as the library does. */
export async function encryptForEach(
  devices: readonly string[],
  message: proto.IMessage,
  attributes: Record<string, string>,
  options: FanOutOptions,
): Promise<readonly Distribution[]> {
  const { socket, inSlot } = options
  const bytes = proto.Message.encode(message).finish()
  // The library looks for one session after the other.
  await options.keys.learn(listSessions(devices))
  await socket.assertSessions([...devices])
  const direct = await inSlot(() => encrypted(devices, bytes, attributes, options))
  if (direct.others.length === 0) return [direct]
  // Throws if all of them fail.
  return [direct, await socket.createParticipantNodes([...direct.others], message, attributes).catch(() => NONE)]
}

/** Encrypts for devices by LID. `others` are devices that the library must encrypt for, or find that it cannot. */
async function encrypted(
  devices: readonly string[],
  bytes: Uint8Array,
  attributes: Readonly<Record<string, string>>,
  { credentials, keys }: FanOutOptions,
): Promise<Distribution & { readonly others: readonly string[] }> {
  const records = await keys.get(
    'session',
    listSessions(devices).map(({ id }) => id),
  )
  const writer = toWriter(credentials)
  const after: Record<string, Uint8Array> = {}
  const nodes: Stanza[] = []
  const others: string[] = []
  let shouldIncludeDeviceIdentity = false
  for (const jid of devices) {
    const address = toSessionAddress(jid) ?? ''
    const written = stepRatchet(records[address] as unknown as StoredRecord | undefined, padded(bytes), writer)
    if (written === null) {
      others.push(jid)
      continue
    }
    // The library's type is bytes, although it stores such records.
    after[address] = written.record as unknown as Uint8Array
    const { type, ciphertext } = written
    if (type === 'pkmsg') shouldIncludeDeviceIdentity = true
    nodes.push({
      tag: 'to',
      attrs: { jid },
      content: [{ tag: 'enc', attrs: { v: '2', type, ...attributes }, content: ciphertext }],
    })
  }
  await keys.set({ session: after })
  return { nodes, shouldIncludeDeviceIdentity, others }
}

/** Returns the names of the sessions with those of the devices that have a LID. */
function listSessions(devices: readonly string[]): KeyName[] {
  const addresses = devices.map(toSessionAddress).filter((address) => address !== undefined)
  return addresses.map((id) => ({ kind: 'session', id }))
}

function toSessionAddress(jid: string): string | undefined {
  const { user, server, device = 0 } = jidDecode(jid) ?? {}
  return server === 'lid' ? `${user}_1.${device}` : undefined
}

export function ownIdentity({ me }: AuthenticationCreds, addressingMode: string): string {
  if (me === undefined) throw new Error('The credentials contain no account.')
  return addressingMode === 'lid' && me.lid ? me.lid : me.id
}

function* inPieces(all: readonly string[], size = PEOPLE_AT_ONCE): Iterable<readonly string[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
