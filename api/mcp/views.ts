/** Makes the short records that agents see. Whatever other people wrote stands in `untrusted`. */

import type { IncomingHttpHeaders } from 'node:http'
import type {
  Chat,
  McpChat,
  McpMessage,
  McpSendMessageReply,
  Message,
  SendAlbumReply,
  SentMessage,
} from '../../schemas/generated.js'
import { visibleText } from './visible-text.js'

const NAME_MAX = 200
const BEGINNING_MAX = 200
const ID_MAX = 200
/** Characters of all texts of an answer: strangers may write long ones to fill the little room that an agent has. */
const TEXTS_MAX = 40_000
/** Ids as all known clients make them. The client of the sender chooses an id, which may be a sentence. */
// Bound: 1,048,576, a body or header of a request.
const USUAL_ID = /^[0-9A-F]{8,64}$/i

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
    last_message_at: wa_lastMsgTimestamp ? formatTime(wa_lastMsgTimestamp) : null,
    untrusted: {
      name: visibleText(chat.name, NAME_MAX),
      last_message: visibleText(chat.wa_lastMessageTextVote, BEGINNING_MAX),
    },
  }
}

/** Makes the records of one answer. Long texts are cut when they are too much together. */
export function messageViews(messages: readonly FoundMessage[]): McpMessage[] {
  const texts = messages.map(presentText)
  const max = lengthThatFits(texts.map(({ length }) => length))
  return messages.map((message, index) => messageView(message, visibleText(texts[index], max)))
}

function messageView(message: FoundMessage, text: string): McpMessage {
  const { messageid = '', chatid = '', fromMe = false, sender = '', messageTimestamp = 0, quoted = '' } = message
  const isUsual = USUAL_ID.test(messageid)
  const isUsualReply = quoted === '' || USUAL_ID.test(quoted)
  return {
    id: isUsual ? messageid : '',
    chat: chatid,
    from_me: fromMe,
    sender,
    sent_at: formatTime(messageTimestamp),
    kind: message.messageType ?? 'other',
    status: message.status ?? '',
    has_file: Boolean(message.fileURL),
    reply_to: isUsualReply ? quoted : '',
    untrusted: {
      sender_name: visibleText(message.senderName, NAME_MAX),
      text,
      ...(isUsual ? {} : { id: visibleText(messageid, ID_MAX) }),
      ...(isUsualReply ? {} : { reply_to: visibleText(quoted, ID_MAX) }),
    },
  }
}

/** Returns the length to which texts are cut so that they fit together. Short ones leave their room to the others. */
function lengthThatFits(lengths: readonly number[]): number {
  let room = TEXTS_MAX
  // Bound: 1,000, the messages of a page.
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(room / (lengths.length - index))
    if (length > share) return share
    room -= length
  }
  return TEXTS_MAX
}

/** Returns what the message says now: the last edit, the choice of a person, or the text. */
function presentText({ text = '', vote = '', edited = '' }: FoundMessage): string {
  if (edited !== '') return lastEdit(edited) ?? text
  return vote === '' || text === vote ? text : `${text}\n${vote}`.trim()
}

function lastEdit(edited: string): string | null {
  try {
    // Bound: 1,048,576, 20,000 values, the edits of a message.
    const edits = JSON.parse(edited) as readonly { readonly text?: unknown }[]
    const last = edits.at(-1)?.text
    return typeof last === 'string' ? last : null
  } catch {
    return null
  }
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Files of an album that were not sent. */
type Unsent = Partial<Pick<SendAlbumReply, 'failed'>>

/** Returns the result of a send. */
export function sentView(sent: SentMessage & Unsent, warnings: readonly string[]): McpSendMessageReply {
  const { messageid = '', chatid = '', status = '', failed = [] } = sent
  const unsent = failed.map(({ index, error }) => `files/${index}: not sent: ${error}`.slice(0, 1_000))
  return { id: messageid, chat: chatid, status, summary: sent.response.message, warnings: [...warnings, ...unsent] }
}

/** Returns the headers of a send with a name. */
export function namedSend(idempotencyKey: string | undefined): IncomingHttpHeaders {
  return idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
}
