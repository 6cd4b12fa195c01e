/** What the signed-in person may do with conversations, as the gateway's scopes have it. */
import { readSession } from '../api/session.js'

/** Returns true for tokens: labels, pins, blocks and leads are not for keys. */
export function mayManageChats(): boolean {
  return readSession()?.kind !== 'key'
}

/** Returns the one chat that a key is for; null if it is for all. */
export function findOnlyChat(): string | null {
  const chat = readSession()?.chat ?? ''
  return chat === '' ? null : chat
}
