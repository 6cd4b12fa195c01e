import type { ChatNotesReply, McpChatNoteReply, McpChatNoteRequest } from '../../../schemas/generated.js'
import { showChatNotes } from '../../routes/chat/notes.js'
import { defineTool } from '../tool.js'
import { visibleText } from '../visible-text.js'

const NOTE_MAX = 10_000

export const chatNote = defineTool<McpChatNoteRequest, McpChatNoteReply>({
  name: 'chat_note',
  title: 'Note of a chat',
  schema: 'mcp/chat-note.json',
  routes: [showChatNotes],
  isReadOnly: true,
  async run({ args: { chat }, ask }) {
    const shown = await ask<ChatNotesReply>(showChatNotes, { number: chat })
    return { chat: shown.chat, note: visibleText(shown.wa_notes, NOTE_MAX) }
  },
})
