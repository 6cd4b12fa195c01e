import { setImmediate as nextLoop } from 'node:timers/promises'
import { type AuthenticationCreds, Curve } from '@whiskeysockets/baileys'
import type { InstanceJournal } from '../../instance/ports.js'
import { encodeCredentials } from './credentials.js'
import { encodeKey } from './key-codec.js'

/** Number of pre-keys that a new device uploads (Baileys `INITIAL_PREKEY_COUNT`, as WhatsApp Web). */
export const FIRST_PRE_KEYS = 812
/** Number that are made and written before other work of the node gets the event loop. */
const AT_ONCE = 64

/**
 * Makes the pre-keys of a device that has uploaded none, in small parts: the library makes all of them in one piece, for which the event loop
 * stands 35 to 75 ms. It then uploads those that it finds. The credentials say how far this came, in the write of the keys themselves.
 * @throws the error of the journal
 */
export async function makeFirstPreKeys(
  credentials: AuthenticationCreds,
  journal: Pick<InstanceJournal, 'write'>,
): Promise<void> {
  if (credentials.firstUnuploadedPreKeyId !== 1) return
  while (credentials.nextPreKeyId <= FIRST_PRE_KEYS) {
    const first = credentials.nextPreKeyId
    const length = Math.min(AT_ONCE, FIRST_PRE_KEYS + 1 - first)
    const entries = Array.from({ length }, (_, index) => ({
      kind: 'pre-key',
      id: String(first + index),
      value: encodeKey(Curve.generateKeyPair()),
    }))
    credentials.nextPreKeyId = first + length
    await journal.write([
      { type: 'keys', entries },
      { type: 'credentials', data: encodeCredentials(credentials) },
    ])
    await nextLoop()
  }
}
