import {
  type AuthenticationCreds,
  type BinaryNode,
  extractDeviceJids,
  isLidUser,
  jidDecode,
  jidEncode,
  jidNormalizedUser,
  USyncQuery,
  USyncUser,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { NodeCaches } from '../caches.js'
import type { SignalKeys } from '../signal-keys.js'

export interface DeviceLookUpOptions {
  readonly socket: Pick<WASocket, 'executeUSyncQuery' | 'signalRepository'>
  readonly credentials: AuthenticationCreds
  readonly keys: Pick<SignalKeys, 'get' | 'set' | 'setLater'>
  readonly cache: ReturnType<NodeCaches['forInstance']>['userDevicesCache']
}

/** A device, in the form of the library's cache, and its JID. */
export interface FoundDevice {
  readonly user: string
  readonly device: number
  readonly server: string
  readonly jid: string
}

type Cached = Omit<FoundDevice, 'jid'>

/** A stored list counts for this long. Until then the network's notices keep it true, those of the time away included. */
const STORED_FOR_MS = 24 * 60 * 60_000
/** Device number of hosted devices, whose addresses are of another kind. */
const HOSTED_DEVICE = 99

/**
 * Returns the devices of people, from memory, from the store, or from the network, in its answer's order.
 *
 * The library's `getUSyncDevices` (`Socket/messages-send.js` of 7.0.0-rc14) begins a new session with the phone of each person whose LID the
 * answer names, which is everybody: it took a settled session away after each restart, and after five minutes. Here nothing is renewed.
 */
export async function findDevices(people: readonly string[], options: DeviceLookUpOptions): Promise<FoundDevice[]> {
  const { cache } = options
  const asked = [...new Set(people.map((jid) => jidNormalizedUser(jid)))]
  const known = new Map<string, readonly Cached[]>()
  for (const jid of asked) {
    const devices = cache.get<readonly Cached[]>(userIn(jid))
    if (devices !== undefined) known.set(jid, devices)
  }
  const missing = asked.filter((jid) => !known.has(jid))
  for (const [jid, devices] of await storedDevices(missing, options)) {
    known.set(jid, devices)
    cache.set(userIn(jid), devices)
  }
  const unknown = missing.filter((jid) => !known.has(jid))
  const told = unknown.length === 0 ? [] : await askForDevices(unknown, options)
  return [...[...known.values()].flat(), ...told].map((device) => ({
    ...device,
    jid: jidEncode(device.user, device.server as 'lid', device.device),
  }))
}

/** Returns the users whose devices a notice of the network changes. */
export function changedUsers({ attrs, content }: BinaryNode): string[] {
  const changes = Array.isArray(content) ? content : []
  const devices = changes.flatMap((change) => (Array.isArray(change.content) ? change.content : []))
  const jids = [attrs.from, ...devices.map((device) => device.attrs.jid)]
  return [...new Set(jids.map((jid) => jidDecode(jid)?.user ?? ''))].filter((user) => user !== '')
}

/** Forgets what is stored of people's devices, because the network says that they changed. */
export async function forgetDevices(users: readonly string[], keys: Pick<SignalKeys, 'set'>): Promise<void> {
  await keys.set({ 'device-list': Object.fromEntries(users.map((user) => [storedName(user), null])) })
}

/** Returns the lists of people by LID that are stored and not too old. */
export async function storedDevices(
  people: readonly string[],
  { keys }: Pick<DeviceLookUpOptions, 'keys'>,
): Promise<Map<string, Cached[]>> {
  const found = new Map<string, Cached[]>()
  const byLid = people.filter((jid) => isLidUser(jid))
  if (byLid.length === 0) return found
  const lists = await keys.get(
    'device-list',
    byLid.map((jid) => storedName(userIn(jid))),
  )
  for (const jid of byLid) {
    const user = userIn(jid)
    const [toldAtMs, ...devices] = (lists[storedName(user)] ?? []).map(Number)
    const ageMs = Date.now() - (toldAtMs ?? 0)
    if (ageMs < 0 || ageMs > STORED_FOR_MS || devices.length === 0) continue
    found.set(
      jid,
      devices.map((device) => ({ user, device, server: 'lid' })),
    )
  }
  return found
}

async function askForDevices(people: readonly string[], options: DeviceLookUpOptions): Promise<Cached[]> {
  const { socket, credentials, cache, keys } = options
  const query = new USyncQuery().withContext('message').withDeviceProtocol().withLIDProtocol()
  for (const jid of people) query.withUser(new USyncUser().withId(jid))
  const answer = await socket.executeUSyncQuery(query)
  if (answer === undefined) return []
  const mappings = answer.list.flatMap(({ id, lid }) =>
    typeof lid === 'string' && !isLidUser(id) ? [{ lid, pn: id }] : [],
  )
  if (mappings.length > 0) await socket.signalRepository.lidMapping.storeLIDPNMappings(mappings)
  const { id: myJid = '', lid: myLid = '' } = credentials.me ?? {}
  const devices = extractDeviceJids(answer.list, myJid, myLid, false).map(
    ({ user, device = 0, server = 'lid' }): Cached => ({ user, device, server }),
  )
  const byUser = new Map<string, Cached[]>()
  for (const device of devices) byUser.set(device.user, [...(byUser.get(device.user) ?? []), device])
  const lists: Record<string, string[]> = {}
  for (const [user, list] of byUser) {
    cache.set(user, list)
    const numbers = list.map(({ device }) => String(device))
    // Keeps the library's form too: the library reads it to find the sessions that move from a number to its LID.
    lists[user] = numbers
    const isPlain = list.every(({ server, device }) => server === 'lid' && device !== HOSTED_DEVICE)
    if (isPlain) lists[storedName(user)] = [String(Date.now()), ...numbers]
  }
  keys.setLater({ 'device-list': lists })
  return devices
}

function userIn(jid: string): string {
  return jidDecode(jid)?.user ?? ''
}

/** Names the list of a person in the store, apart from the library's, which has no time. */
export function storedName(user: string): string {
  return `told:${user}`
}
