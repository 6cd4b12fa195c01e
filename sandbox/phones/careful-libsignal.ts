import * as libsignal from 'libsignal'

interface Entry {
  serialize(): unknown
  constructor: { deserialize(data: unknown): Entry }
}

interface Cipher {
  doDecryptWhisperMessage(message: Uint8Array, session: Entry): Promise<unknown>
}

/**
 * A real phone's Signal library leaves a session alone when a message turns out not to belong to it. libsignal for Node.js steps its
 * ratchet first and keeps the result, which makes a phone lose sessions that a real one would not.
 */
export function carefulLibsignal(): void {
  const prototype = libsignal.SessionCipher.prototype as unknown as Cipher & { isCareful?: boolean }
  if (prototype.isCareful) return
  prototype.isCareful = true
  const decrypt = prototype.doDecryptWhisperMessage
  prototype.doDecryptWhisperMessage = async function (message, session) {
    const before = session?.serialize()
    try {
      return await decrypt.call(this, message, session)
    } catch (error) {
      if (before !== undefined) Object.assign(session, session.constructor.deserialize(before))
      throw error
    }
  }
}
