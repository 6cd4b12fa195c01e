/** Chats and their contacts and conversations in Chatwoot. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import { type ChatwootWrite, FENCE, openWrites } from './fenced-writes.js'

export interface ChatwootChat {
  readonly chatId: number
  /** Names the contact in the inbox. Ours, and made once for each contact. */
  readonly sourceId: string
  readonly contactId: number | null
  /** The contact is known to the inbox under `sourceId`. */
  readonly hasInbox: boolean
  readonly conversationId: number | null
  /** A conversation was asked for, and the answer may be lost. */
  readonly isAsked: boolean
  readonly formerId: number | null
  /** The newest message that we made. */
  readonly newestId: number
  /** Up to this message nothing of theirs was missed. */
  readonly seenId: number
  readonly phone: string
  readonly name: string
  readonly mergeContact: number | null
  readonly mergeConversation: number | null
}

type Changes = Partial<Omit<ChatwootChat, 'chatId'>>

export interface ChatwootChats {
  /** Returns the row of the chat, and makes it if there is none. */
  ensure(instance: InstanceId, chatId: number): Promise<ChatwootChat>
  byConversation(instance: InstanceId, conversationId: number): Promise<ChatwootChat | null>
  update(instance: InstanceId, chatId: number, changes: Changes): Promise<void>
  /** Notes a message that we made. */
  made(instance: InstanceId, conversationId: number, messageId: number): Promise<void>
  /** Notes that up to this message nothing was missed. */
  seen(instance: InstanceId, conversationId: number, messageId: number): Promise<void>
  /** Returns the address of the chat at the network; null when it is gone. */
  findAddress(instance: InstanceId, chatId: number): Promise<string | null>
  /** Returns the chat of an address. */
  findChat(instance: InstanceId, jid: string): Promise<number | null>
}

interface Row {
  readonly chat_id: number
  readonly source_id: string
  readonly contact_id: number | null
  readonly has_inbox: boolean
  readonly conversation_id: number | null
  readonly is_asked: boolean
  readonly former_id: number | null
  readonly newest_id: number
  readonly seen_id: number
  readonly phone: string
  readonly name: string
  readonly merge_contact: number | null
  readonly merge_conversation: number | null
}

const COLUMNS: Readonly<Record<keyof Changes, string>> = {
  sourceId: 'source_id',
  contactId: 'contact_id',
  hasInbox: 'has_inbox',
  conversationId: 'conversation_id',
  isAsked: 'is_asked',
  formerId: 'former_id',
  newestId: 'newest_id',
  seenId: 'seen_id',
  phone: 'phone',
  name: 'name',
  mergeContact: 'merge_contact',
  mergeConversation: 'merge_conversation',
}

/** Returns a `source_id` that no contact has. */
export function newSource(): string {
  return `posthorn:${randomUUID()}`
}

export function createChatwootChats(pool: pg.Pool, write: ChatwootWrite = openWrites(pool)): ChatwootChats {
  const one = async (condition: string, values: readonly unknown[]): Promise<ChatwootChat | null> => {
    const { rows } = await pool.query<Row>(`SELECT * FROM chatwoot_chat WHERE ${condition} LIMIT 1`, [...values])
    return rows[0] === undefined ? null : toChat(rows[0])
  }
  return {
    async ensure(instance, chatId) {
      const known = await one('instance_id = $1 AND chat_id = $2', [instance, chatId])
      if (known !== null) return known
      await write(
        instance,
        `INSERT INTO chatwoot_chat (instance_id, chat_id, source_id) SELECT $1, $2::bigint, $3 WHERE ${FENCE} ON CONFLICT DO NOTHING`,
        [instance, chatId, newSource()],
      )
      return (await one('instance_id = $1 AND chat_id = $2', [instance, chatId])) as ChatwootChat
    },
    byConversation: (instance, conversationId) =>
      one('instance_id = $1 AND conversation_id = $2', [instance, conversationId]),
    async update(instance, chatId, changes) {
      const entries = Object.entries(changes) as [keyof Changes, unknown][]
      const sets = entries.map(([field], index) => `${COLUMNS[field]} = $${index + 3}`).join(', ')
      const text = `UPDATE chatwoot_chat SET ${sets} WHERE instance_id = $1 AND chat_id = $2 AND ${FENCE}`
      await write(instance, text, [instance, chatId, ...entries.map(([, value]) => value)])
    },
    async made(instance, conversationId, messageId) {
      // What a conversation held before our first message is none of ours.
      await write(
        instance,
        `UPDATE chatwoot_chat SET newest_id = $3, seen_id = CASE WHEN seen_id = 0 THEN $3 - 1 ELSE seen_id END
         WHERE instance_id = $1 AND conversation_id = $2 AND newest_id < $3 AND ${FENCE}`,
        [instance, conversationId, messageId],
      )
    },
    async seen(instance, conversationId, messageId) {
      await write(
        instance,
        `UPDATE chatwoot_chat SET seen_id = $3 WHERE instance_id = $1 AND conversation_id = $2 AND seen_id < $3 AND ${FENCE}`,
        [instance, conversationId, messageId],
      )
    },
    async findAddress(instance, chatId) {
      const { rows } = await pool.query<{ jid: string }>(
        'SELECT wa_chatid AS jid FROM chat WHERE instance_id = $1 AND id = $2',
        [instance, chatId],
      )
      return rows[0]?.jid ?? null
    },
    async findChat(instance, jid) {
      const { rows } = await pool.query<{ chat_id: number }>(
        'SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = $2',
        [instance, jid],
      )
      return rows[0]?.chat_id ?? null
    },
  }
}

function toChat(row: Row): ChatwootChat {
  return {
    chatId: row.chat_id,
    sourceId: row.source_id,
    contactId: row.contact_id,
    hasInbox: row.has_inbox,
    conversationId: row.conversation_id,
    isAsked: row.is_asked,
    formerId: row.former_id,
    newestId: row.newest_id,
    seenId: row.seen_id,
    phone: row.phone,
    name: row.name,
    mergeContact: row.merge_contact,
    mergeConversation: row.merge_conversation,
  }
}
