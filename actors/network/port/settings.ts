/** Settings that all devices of the account share. Types only. */
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { StatusAudience } from '../../../schemas/status-post.js'
import type { LabelFields, PhoneQuickReplyFields } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

export interface SettingsNetwork {
  /**
   * Changes a setting on all devices of the account. Resolves when the network has accepted the change.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED (certainly not done)
   */
  change(change: SharedChange): Promise<void>
  /**
   * Reads the notes of chats again, which arrive as changes of chats. `isWhole`: all of them, and not only what changed.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED, HISTORY_RUNNING
   */
  refreshNotes(isWhole: boolean): Promise<void>
  /** Reads the labels, and to which chats they belong, again. They arrive as events. Likewise. */
  refreshLabels(isWhole: boolean): Promise<void>
  /** Shows a chat as read or unread on all devices. `last` is its newest message. */
  markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void>
  /** Fetches the privacy settings of the account. @throws GatewayError NETWORK_REFUSED */
  privacy(): Promise<PrivacySettings>
  /** Fetches who may see the status posts of the account, as its phone has set it. @throws GatewayError NETWORK_REFUSED */
  statusAudience(): Promise<StatusPrivacy>
  /** Changes one privacy setting. @throws GatewayError CHANGE_FAILED with the network's code */
  setPrivacy(category: string, value: string): Promise<void>
  /** Sets the time after which messages of new chats disappear; 0: never. @throws GatewayError CHANGE_FAILED */
  setDisappearing(seconds: number): Promise<void>
  /** Sets the about text; an empty one removes it. @throws GatewayError CHANGE_FAILED */
  setAbout(text: string): Promise<void>
  /** Replaces the picture of the account by a square JPEG in base64; null removes it. @throws GatewayError CHANGE_FAILED */
  setPicture(jpeg: string | null): Promise<void>
}

export interface PrivacySettings {
  /** Values by category, in the network's words. */
  readonly settings: Readonly<Record<string, string>>
  /** Time after which messages of new chats disappear; 0: never. */
  readonly disappearingSeconds: number
}

export interface StatusPrivacy {
  readonly audience: StatusAudience
  /** Those of the list; none with `contacts`. */
  readonly people: readonly Jid[]
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
  /** The note of a chat, under its name in the app state; an empty text removes it. */
  | { readonly kind: 'note'; readonly chat: ChatAddress; readonly noteId: string; readonly text: string }
  | { readonly kind: 'star'; readonly message: MessageForActor; readonly isSet: boolean }
  | { readonly kind: 'profileName'; readonly name: string }
  | { readonly kind: 'chatLabel'; readonly chat: ChatAddress; readonly labelid: string; readonly isSet: boolean }
