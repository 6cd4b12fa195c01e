import { type AuthenticationCreds, jidDecode, jidEncode, type WASocket } from '@whiskeysockets/baileys'
import type { SignalKeys } from '../signal-keys.js'

export interface IntroductionOptions {
  readonly socket: Pick<WASocket, 'getUSyncDevices' | 'assertSessions' | 'signalRepository'>
  readonly credentials: AuthenticationCreds
  readonly keys: Pick<SignalKeys, 'learn'>
}

/** Returns true for the LID of another person than the account's own. */
export function isOtherPerson(to: string, { me }: AuthenticationCreds): boolean {
  const [own, other] = [jidDecode(me?.lid), jidDecode(to)]
  return own?.server === 'lid' && other?.server === 'lid' && other.device === undefined && own.user !== other.user
}

/**
 * Asks the network for the devices of a person and of this account, and makes the sessions with them that are missing: with the library's own
 * functions, in its order (`relayMessage` of 7.0.0-rc14). Reads all keys that the message needs with one statement.
 */
export async function introduce(to: string, { socket, credentials: { me }, keys }: IntroductionOptions): Promise<void> {
  const own = jidEncode(jidDecode(me?.lid)?.user ?? '', 'lid')
  const found = await socket.getUSyncDevices([own, to], true, false)
  const devices = found.map(({ jid }) => jid).filter((jid) => jid !== me?.lid && jid !== me?.id)
  const sessions = devices.map((jid) => socket.signalRepository.jidToSignalProtocolAddress(jid))
  await keys.learn([
    ...sessions.map((id) => ({ kind: 'session' as const, id })),
    { kind: 'tctoken', id: to },
    { kind: 'lid-mapping', id: `${jidDecode(to)?.user}_reverse` },
  ])
  await socket.assertSessions(devices)
}
