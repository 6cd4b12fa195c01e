import type {
  McpMessageReceiptsReply,
  McpMessageReceiptsRequest,
  MessageInfoReply,
} from '../../../schemas/generated.js'
import { showMessageInfo } from '../../routes/message/info.js'
import { defineTool } from '../tool.js'
import { visibleText } from '../visible-text.js'

export const messageReceipts = defineTool<McpMessageReceiptsRequest, McpMessageReceiptsReply>({
  name: 'message_receipts',
  title: 'Who has read a message to a group',
  schema: 'mcp/message-receipts.json',
  routes: [showMessageInfo],
  isReadOnly: true,
  async run({ args: { id, limit = 50 }, ask, warnings }) {
    const { members, delivered, read, people } = await ask<MessageInfoReply>(showMessageInfo, { id, limit })
    const shown = people.map((person) => ({
      // Strangers write these names.
      name: visibleText(person.name, 200),
      number: person.phone,
      delivered: person.delivered,
      read: person.read,
    }))
    return { members, delivered, read, people: shown, warnings }
  },
})
