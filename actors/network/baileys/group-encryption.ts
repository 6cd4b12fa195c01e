import { GroupCipher, type SenderKeyState } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'

interface Cipher {
  getSenderKey(state: SenderKeyState, iteration: number): unknown
}

let isMended = false

/**
 * Baileys takes two steps of our chain for each message that we write to a group, and keeps the key of the step that it left out, though
 * nobody will ask for it (`Signal/Group/group_cipher.js` of 7.0.0-rc14). After a thousand messages each further one reads and writes
 * 2000 such keys as JSON: 25 ms and 300 KB. Here a message is one step, as with every other client; what has piled up is dropped.
 */
export function mendGroupEncryption(): void {
  if (isMended) return
  isMended = true
  const prototype = GroupCipher.prototype as unknown as Cipher
  const getSenderKey = prototype.getSenderKey
  prototype.getSenderKey = function (state, iteration) {
    // Only of our own chain do we hold the key that signs, and with that one we only write.
    const isOwn = (state.getSigningKeyPrivate()?.length ?? 0) > 0
    if (!isOwn) return getSenderKey.call(this, state, iteration)
    state.getStructure().senderMessageKeys.length = 0
    return getSenderKey.call(this, state, state.getSenderChainKey().getIteration())
  }
}
