/** What the signed-in person may do with conversations, as the gateway's scopes have it. */
import { session } from '../api/session.js'

/** Returns true for tokens: labels, pins, blocks and leads are not for keys. */
export function mayManageChats(): boolean {
  return session()?.kind !== 'key'
}

/** Returns the one chat that a key is for; null if it is for all. */
export function onlyChat(): string | null {
  const chat = session()?.chat ?? ''
  return chat === '' ? null : chat
}
