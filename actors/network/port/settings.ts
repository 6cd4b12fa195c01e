/** Settings that all devices of the account share. Types only. */
import type { ChatAddress } from '../../../schemas/jid.js'
import type { LabelFields, PhoneQuickReplyFields } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

export interface SettingsNetwork {
  /**
   * Changes a setting on all devices of the account. Resolves when the network has accepted the change.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED (certainly not done)
   */
  change(change: SharedChange): Promise<void>
  /** Shows a chat as read or unread on all devices. `last` is its newest message. */
  markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void>
}

/** Change of a setting that all devices share. `last` is the newest message of the chat: the network requires it. */
export type SharedChange =
  | {
      readonly kind: 'archive'
      readonly chat: ChatAddress
      readonly isSet: boolean
      readonly last: MessageForActor | null
    }
  /** Removes all messages of a chat, on all devices. `delete` removes the chat too. */
  | { readonly kind: 'clear' | 'delete'; readonly chat: ChatAddress; readonly last: MessageForActor | null }
  | { readonly kind: 'pin'; readonly chat: ChatAddress; readonly isSet: boolean }
  /** `endTime`: milliseconds since 1970; 0 ends the mute, -1 mutes for ever. */
  | { readonly kind: 'mute'; readonly chat: ChatAddress; readonly endTime: number }
  | { readonly kind: 'label'; readonly label: LabelFields }
  | { readonly kind: 'quickReply'; readonly quickReply: PhoneQuickReplyFields }
  | { readonly kind: 'profileName'; readonly name: string }
  | { readonly kind: 'chatLabel'; readonly chat: ChatAddress; readonly labelid: string; readonly isSet: boolean }
