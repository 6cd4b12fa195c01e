import {
  type AuthenticationCreds,
  jidDecode,
  jidEncode,
  jidNormalizedUser,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { SignalKeys } from '../signal-keys.js'
import { type DeviceLookUpOptions, findDevices, storedDevices } from './device-look-up.js'

export interface IntroductionOptions extends DeviceLookUpOptions {
  readonly socket: DeviceLookUpOptions['socket'] & Pick<WASocket, 'assertSessions'>
  readonly keys: DeviceLookUpOptions['keys'] & Pick<SignalKeys, 'learn'>
}

/** Returns true for the LID of another person than the account's own. */
export function isOtherPerson(to: string, { me }: AuthenticationCreds): boolean {
  const [own, other] = [jidDecode(me?.lid), jidDecode(to)]
  return own?.server === 'lid' && other?.server === 'lid' && other.device === undefined && own.user !== other.user
}

/** Returns true if the devices of these people are stored, and a session with each. Then `introduce` asks the network nothing. */
export async function isIntroduced(people: readonly string[], options: IntroductionOptions): Promise<boolean> {
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
