/** Makes the short records that agents see. Whatever other people wrote stands in `untrusted`. */
import type { Chat, McpChat, McpMessage, Message } from '../../schemas/generated.js'
import { visibleText } from './visible-text.js'

const NAME_MAX = 200
const BEGINNING_MAX = 200
const TEXT_MAX = 4_000

/** Records of the API as handlers give them. */
export type FoundChat = Partial<Chat>
export type FoundMessage = Partial<Message>

export function chatView(chat: FoundChat): McpChat {
  const { wa_chatid = '', wa_isGroup = false, wa_archived = false, wa_unreadCount = 0, wa_lastMsgTimestamp } = chat
  return {
    chat: wa_chatid,
    is_group: wa_isGroup,
    is_archived: wa_archived,
    unread: wa_unreadCount,
    last_message_at: wa_lastMsgTimestamp ? timeOf(wa_lastMsgTimestamp) : null,
    untrusted: {
      name: visibleText(chat.name, NAME_MAX),
      last_message: visibleText(chat.wa_lastMessageTextVote, BEGINNING_MAX),
    },
  }
}

export function messageView(message: FoundMessage): McpMessage {
  const { messageid = '', chatid = '', fromMe = false, sender = '', messageTimestamp = 0 } = message
  return {
    id: messageid,
    chat: chatid,
    from_me: fromMe,
    sender,
    sent_at: timeOf(messageTimestamp),
    kind: message.messageType ?? 'other',
    status: message.status ?? '',
    has_file: Boolean(message.fileURL),
    reply_to: message.quoted ?? '',
    untrusted: {
      sender_name: visibleText(message.senderName, NAME_MAX),
      text: visibleText(presentText(message), TEXT_MAX),
    },
  }
}

/** Returns what the message says now: the last edit, the choice of a person, or the text. */
function presentText({ text = '', vote = '', edited = '' }: FoundMessage): string {
  if (edited !== '') return lastEdit(edited) ?? text
  return vote === '' || text === vote ? text : `${text}\n${vote}`.trim()
}

function lastEdit(edited: string): string | null {
  try {
    const edits = JSON.parse(edited) as readonly { readonly text?: unknown }[]
    const last = edits.at(-1)?.text
    return typeof last === 'string' ? last : null
  } catch {
    return null
  }
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
