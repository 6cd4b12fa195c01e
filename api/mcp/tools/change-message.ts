import type {
  DeleteMessageReply,
  EditMessageReply,
  McpChangeMessageReply,
  McpChangeMessageRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { deleteMessage } from '../../routes/message/delete.js'
import { editMessage } from '../../routes/message/edit.js'
import { quotedWords } from '../quoted-words.js'
import { defineTool } from '../tool.js'

export const changeMessage = defineTool<McpChangeMessageRequest, McpChangeMessageReply>({
  name: 'change_message',
  title: 'Edit or delete a message',
  schema: 'mcp/change-message.json',
  routes: [editMessage, deleteMessage],
  isDestructive: true,
  isIdempotent: true,
  async run({ args: { id, action, text }, ask, confirm, warnings }) {
    if (action === 'edit' && text === undefined) throw invalidField('text', 'is required to edit')
    if (action === 'delete' && text !== undefined) throw invalidField('text', 'does not belong to a deletion')
    if (action === 'edit') {
      await confirm(`Edit the message ${id} for everyone? It will say: ${quotedWords(text ?? '')}`)
      const { messageid } = await ask<EditMessageReply>(editMessage, { id, text })
      return { id: messageid, action, warnings }
    }
    await confirm(`Delete the message ${id} for everyone?`)
    return { id: (await ask<DeleteMessageReply>(deleteMessage, { id })).id, action, warnings }
  },
})
