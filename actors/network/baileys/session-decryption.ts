import * as libsignal from 'libsignal'

interface SessionEntry {
  serialize(): unknown
  constructor: { deserialize(data: unknown): SessionEntry }
}

interface Cipher {
  doDecryptWhisperMessage(data: Uint8Array, session: SessionEntry): Promise<unknown>
  decryptWithSessions(data: Uint8Array, sessions: SessionEntry[]): Promise<unknown>
}

let isMended = false

/** Failures of ciphertexts whose key is used. A ciphertext of the right session was decrypted before then, and its meaning is stored. */
const repeated = new WeakSet<object>()
/** Start of the same failure in groups (`group_cipher.js` of Baileys). */
const OLD_COUNTER = 'Received message with old counter'

/** Returns whether a decryption failed because the ciphertext was decrypted before. The network repeats a message without a receipt. */
export function wasDecrypted(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false
  return isKeyUsed(failure) || repeated.has(failure) || failure.message.startsWith(OLD_COUNTER)
}

function isKeyUsed(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'MessageCounterError'
}

/**
 * Corrects the decryption of libsignal. It tries a ciphertext with each session of a contact, and an attempt with a wrong session advances that
 * session's ratchet before it fails. If a later session succeeds, the spoiled one is stored with it. Two sides that begin to write at the same
 * moment have two sessions, so each may then write messages that the other cannot read ("Bad MAC"; libsignal 6.0.0, `session_cipher.js`).
 * The correction restores a session after a failed attempt.
 *
 * If all sessions fail, libsignal throws an error that does not say why. The correction notes whether a key was used already.
 */
export function patchSessionDecryption(): void {
  if (isMended) return
  isMended = true
  const prototype = libsignal.SessionCipher.prototype as unknown as Cipher
  const tryOne = prototype.decryptWithSessions
  const decryptOne = prototype.doDecryptWhisperMessage
  const used = new WeakSet<Cipher>()
  prototype.doDecryptWhisperMessage = async function (data, session) {
    try {
      return await decryptOne.call(this, data, session)
    } catch (error) {
      if (isKeyUsed(error)) used.add(this)
      throw error
    }
  }
  const markRepeated = (cipher: Cipher, failure: unknown): unknown => {
    if (used.delete(cipher) && failure instanceof Error) repeated.add(failure)
    return failure
  }
  prototype.decryptWithSessions = async function (data, sessions) {
    used.delete(this)
    let failure: unknown
    if (sessions.length < 2) {
      return await tryOne.call(this, data, sessions).catch((error: unknown) => {
        throw markRepeated(this, error)
      })
    }
    for (const session of sessions) {
      const before = session.serialize()
      try {
        return await tryOne.call(this, data, [session])
      } catch (error) {
        failure = error
        Object.assign(session, session.constructor.deserialize(before))
      }
    }
    throw markRepeated(this, failure)
  }
}
