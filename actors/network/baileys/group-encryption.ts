import { GroupCipher, type SenderKeyState } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'

interface Cipher {
  getSenderKey(state: SenderKeyState, iteration: number): unknown
}

let isMended = false

/**
 * Corrects the encryption of group messages. Baileys advances our chain by two steps for each message, and keeps the key of the skipped step,
 * which nobody needs (`Signal/Group/group_cipher.js` of 7.0.0-rc14). After a thousand messages each further one reads and writes 2000 such
 * keys as JSON: 25 ms and 300 KB. Here a message is one step, as in every other client, and the piled up keys are dropped.
 */
export function patchGroupEncryption(): void {
  if (isMended) return
  isMended = true
  const prototype = GroupCipher.prototype as unknown as Cipher
  const getSenderKey = prototype.getSenderKey
  prototype.getSenderKey = function (state, iteration) {
    // The signing key is known for our own chain only, and that chain only encrypts.
    const isOwn = (state.getSigningKeyPrivate()?.length ?? 0) > 0
    if (!isOwn) return getSenderKey.call(this, state, iteration)
    state.getStructure().senderMessageKeys.length = 0
    return getSenderKey.call(this, state, state.getSenderChainKey().getIteration())
  }
}
