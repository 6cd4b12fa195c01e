import type { proto } from '@whiskeysockets/baileys'
import { cut } from '../../../lib/cut.js'
import { type ChatAddress, isLidJid, toChatAddress } from '../../../schemas/jid.js'
import type { ChatFields } from '../../../schemas/stored-fields.js'
import { isUsername } from '../../../schemas/username.js'
import type { NetworkEvent } from '../port/events.js'
import { toMessageId } from './key-codec.js'
import { wireTimeMs } from './wire-time.js'

/** A change of app state after decryption. */
export interface SyncAction {
  /** Kind of action, then mostly a JID. */
  readonly index: readonly string[]
  readonly syncAction: proto.ISyncActionData
}

/**
 * Translates a change that another device made to a chat, label or contact. Reads the change itself and not the library's events: they lack
 * the first name of contacts, and at a first login they are held back until the chat is in the history, which may be never
 * (`conditional` in `Utils/chat-utils.js` of 7.0.0-rc14). Kinds of actions: see there, and `appstate/` of whatsmeow.
 */
export function translateSyncAction({ index, syncAction }: SyncAction, isFirst: boolean): NetworkEvent | null {
  const [kind, id = ''] = index
  const value = syncAction.value ?? {}
  const { muteAction, archiveChatAction, markChatAsReadAction, pinAction, contactAction, lidContactAction } = value
  if (archiveChatAction) return chatChange(id, { wa_archived: archiveChatAction.archived === true })
  if (pinAction) return chatChange(id, { wa_isPinned: pinAction.pinned === true })
  if (muteAction)
    return chatChange(id, { wa_muteEndTime: muteAction.muted ? muteEnd(muteAction.muteEndTimestamp, 1) : 0 })
  if (markChatAsReadAction) {
    // Chats are read by default. At a first login the history has the better count of unread messages.
    if (markChatAsReadAction.read && isFirst) return null
    return chatChange(id, { wa_unreadCount: markChatAsReadAction.read ? 0 : -1 })
  }
  if (contactAction ?? lidContactAction) return contactChange(id, contactAction ?? lidContactAction ?? {})
  if (value.labelEditAction) {
    const { name, color, deleted } = value.labelEditAction
    return { type: 'label', label: { labelid: id, name: name ?? '', color: color ?? 0, isDeleted: deleted === true } }
  }
  if (value.quickReplyAction) {
    const { shortcut, message, deleted } = value.quickReplyAction
    const quickReply = { id, shortcut: shortcut ?? '', text: message ?? '', isDeleted: deleted === true }
    return { type: 'quickReply', quickReply }
  }
  if (value.noteEditAction) return noteChange(id, value.noteEditAction)
  if (value.starAction) return starChange(index, value.starAction.starred === true)
  const jid = index[2]
  if (kind === 'label_jid' && value.labelAssociationAction && jid !== undefined)
    return {
      type: 'chatLabel',
      chat: toChatAddress(jid),
      labelid: id,
      isSet: value.labelAssociationAction.labeled === true,
    }
  return null
}

/**
 * Returns the end of a mute in milliseconds; -1 means for ever. Ends are in milliseconds in app state and in seconds in the history
 * (`muteEndTimestamp` and `muteEndTime` in whatsmeow's `appstate` and mautrix' `historysync.go`).
 */
export function muteEnd(end: unknown, unitMs: number): number {
  return end != null && Number(end) < 0 ? -1 : wireTimeMs(end, unitMs)
}

/** Makes a change of a chat. A change to default values must not create the chat. */
function chatChange(jid: string, set: ChatFields): NetworkEvent {
  const isOrdinary = Object.values(set).every((value) => value === false || value === 0)
  return { type: 'chats', chats: [{ chat: toChatAddress(jid), set, ...(isOrdinary ? { known: true } : {}) }] }
}

/** Reads a star. Its index has the chat, the id of the message, and whether it is of the account. */
function starChange([, chat, id, fromMe]: readonly string[], isSet: boolean): NetworkEvent | null {
  if (!chat || !id) return null
  return { type: 'starred', messageid: toMessageId(id), chat: toChatAddress(chat), fromMe: fromMe === '1', isSet }
}

/** Maximum of a note that is kept. Devices of the account write them. */
const NOTE_MAX = 10_000

/** Makes a change of the note of a chat. Notes in forms that are not known are left alone. */
function noteChange(id: string, note: proto.SyncActionValue.INoteEditAction): NetworkEvent | null {
  const { chatJid, deleted, unstructuredContent } = note
  if (!chatJid || id === '' || (deleted !== true && !unstructuredContent)) return null
  const text = deleted === true ? '' : cut(unstructuredContent ?? '', NOTE_MAX)
  const known = text === '' ? { known: true } : {}
  return { type: 'chats', chats: [{ chat: toChatAddress(chatJid), set: { wa_note: { id, text } }, ...known }] }
}

/** Makes a change of a contact. Without a name the contact was removed: a removal has none, and the library does not mark it. */
function contactChange(
  jid: string,
  contact: {
    fullName?: string | null
    firstName?: string | null
    lidJid?: string | null
    pnJid?: string | null
    username?: string | null
  },
): NetworkEvent {
  const { fullName, firstName, username } = contact
  const address: ChatAddress = toChatAddress(jid, isLidJid(jid) ? (contact.pnJid ?? null) : (contact.lidJid ?? null))
  return {
    type: 'contacts',
    contacts: [
      {
        address,
        contactName: fullName || firstName || '',
        firstName: firstName ?? '',
        ...(isUsername(username) ? { username } : {}),
      },
    ],
  }
}
