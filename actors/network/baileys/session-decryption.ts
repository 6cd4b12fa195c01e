import * as libsignal from 'libsignal'

interface SessionEntry {
  serialize(): unknown
  constructor: { deserialize(data: unknown): SessionEntry }
}

interface Cipher {
  decryptWithSessions(data: Uint8Array, sessions: SessionEntry[]): Promise<unknown>
}

let isMended = false

/**
 * libsignal tries a ciphertext with each session of a contact in turn, and a try with a wrong one steps that session's ratchet before
 * it fails; when a later one succeeds, the spoiled session is stored with it. Two sides that begin to write at the same moment have
 * two sessions, so from then on each side may write what the other cannot read ("Bad MAC"; libsignal 6.0.0, `session_cipher.js`).
 * Here a session that failed is put back as it was.
 */
export function mendSessionDecryption(): void {
  if (isMended) return
  isMended = true
  const prototype = libsignal.SessionCipher.prototype as unknown as Cipher
  const tryOne = prototype.decryptWithSessions
  prototype.decryptWithSessions = async function (data, sessions) {
    if (sessions.length < 2) return await tryOne.call(this, data, sessions)
    let failure: unknown
    for (const session of sessions) {
      const before = session.serialize()
      try {
        return await tryOne.call(this, data, [session])
      } catch (error) {
        failure = error
        Object.assign(session, session.constructor.deserialize(before))
      }
    }
    throw failure
  }
}
