import { randomBytes } from 'node:crypto'
import type { MessageId } from '../../../schemas/ids.js'

/** A new message id in the form that the network's web clients make: `3EB0` and 18 random bytes (Baileys, `generateMessageID`). */
export function newMessageId(): MessageId {
  return `3EB0${randomBytes(18).toString('hex').toUpperCase()}` as MessageId
}
