import { createHash } from 'node:crypto'
import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, chatIdOf } from '../../../schemas/jid.js'
import { knownChat } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

export interface ChatNote {
  /** The chat as a JID. */
  readonly chat: string
  /** Empty: it has none. */
  readonly text: string
}

const example: ChatNote = { chat: '5511999990002@s.whatsapp.net', text: 'Prefers mornings' }

interface RefreshFields {
  readonly number: string
  /** Reads all notes, and not only what changed. */
  readonly isWhole: boolean
}

/** Shows the note of a chat as it is stored. Needs no connection. */
export const showNote = operation('showNote', {
  repeat: true,
  example,
  async run(context: InstanceContext, { number }: { readonly number: string }): Promise<ChatNote> {
    const { address } = await knownChat(context.id, number, context.reader)
    return await storedNote(context, address)
  },
})

/** Reads the notes of the account again, then shows that of a chat. */
export const refreshNote = operation('refreshNote', {
  repeat: true,
  example,
  async run(context: InstanceContext, { number, isWhole }: RefreshFields): Promise<ChatNote> {
    const connection = await context.connection()
    const { address } = await knownChat(context.id, number, context.reader)
    await orUnknown(() => connection.settings.refreshNotes(isWhole))
    await context.journal.settled()
    return await storedNote(context, address)
  },
})

/** Replaces the note of a chat on all devices of the account; an empty text removes it. */
export const editNote = operation('editNote', {
  // The second time writes the same text under the same name.
  repeat: true,
  example,
  async run(
    context: InstanceContext,
    { number, text }: { readonly number: string; readonly text: string },
  ): Promise<ChatNote> {
    const connection = await context.connection()
    const { address: chat } = await knownChat(context.id, number, context.reader)
    const former = await context.reader.noteId(context.id, chat)
    if (former !== '' || text !== '') {
      const noteId = former || newNoteId(chat)
      await orUnknown(() => connection.settings.change({ kind: 'note', chat, noteId, text }))
      const set = { wa_note: { id: noteId, text } }
      await context.journal.write([{ type: 'chat', chat, set, announce: true, known: true }])
    }
    return await storedNote(context, chat)
  },
})

/** Makes the name of a first note: always the same one, so that a call that is repeated after a crash writes no second note. */
function newNoteId(chat: ChatAddress): string {
  return createHash('sha256').update(chatIdOf(chat)).digest('hex').slice(0, 32).toUpperCase()
}

async function storedNote({ id, reader }: InstanceContext, chat: ChatAddress): Promise<ChatNote> {
  const record = await reader.chat(id, chat)
  if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
  return { chat: chatIdOf(chat), text: String(record.wa_notes ?? '') }
}
