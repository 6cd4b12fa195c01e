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
 * Corrects the decryption of libsignal. It tries a ciphertext with each session of a contact, and an attempt with a wrong session advances that
 * session's ratchet before it fails. If a later session succeeds, the spoiled one is stored with it. Two sides that begin to write at the same
 * moment have two sessions, so each may then write messages that the other cannot read ("Bad MAC"; libsignal 6.0.0, `session_cipher.js`).
 * The correction restores a session after a failed attempt.
 */
export function patchSessionDecryption(): void {
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
