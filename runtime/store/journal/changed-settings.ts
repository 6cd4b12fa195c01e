/**
 * Keeps which settings of chats have changed since the instance was paired. A part of the history does not overwrite them: it holds a chat
 * as it was when the part was made, and parts arrive for minutes, over reconnects and moves.
 */
import type { ChatFields } from '../../../schemas/stored-fields.js'

/** The bits of the column `told`; they stay. */
export const CHANGED_BITS = {
  wa_archived: 1,
  wa_isPinned: 2,
  wa_muteEndTime: 4,
  wa_contactName: 8,
  wa_name: 16,
  wa_ephemeralExpiration: 32,
  name: 64,
  wa_unreadCount: 128,
  wa_isGroup_admin: 256,
  wa_isGroup_announce: 512,
  wa_isGroup_community: 1024,
  wa_isGroup_member: 2048,
} as const satisfies Partial<Record<keyof ChatFields, number>>

/** The bits of the fields that are set. */
export function changedBits(set: ChatFields): number {
  let bits = 0
  for (const field in set) bits |= CHANGED_BITS[field as keyof typeof CHANGED_BITS] ?? 0
  return bits
}
