/** Changes of a group. Types only. */
import type { Jid } from './ids.js'

export type MemberAddMode = 'admin_add' | 'all_member_add'

/** `approve` and `reject` are of those who ask to come in. */
export type MemberAction = 'add' | 'remove' | 'promote' | 'demote' | 'approve' | 'reject'

export type GroupChange =
  | { readonly kind: 'announce' | 'locked' | 'approval'; readonly isSet: boolean }
  /** The right to add members. */
  | { readonly kind: 'memberAdd'; readonly mode: MemberAddMode }
  /** Messages disappear after so long; 0 is never. */
  | { readonly kind: 'ephemeral'; readonly seconds: number }
  | { readonly kind: 'name'; readonly name: string }
  /** JPEG of 640 by 640 pixels, base64; null takes it away. */
  | { readonly kind: 'picture'; readonly jpeg: string | null }
  /** Empty takes it away. */
  | { readonly kind: 'topic'; readonly topic: string }
  | {
      readonly kind: 'members'
      readonly action: MemberAction
      readonly people: readonly Jid[]
    }
