import type { MessageId } from './ids.js'
import { randomHex } from './random.js'

/** Makes a new message id in the form that the network's web clients make: `3EB0` and 18 random bytes (Baileys, `generateMessageID`). */
export function newMessageId(): MessageId {
  return `3EB0${randomHex(18).toUpperCase()}` as MessageId
}
