import type { FindMessagesReply, McpReadMessagesReply, McpReadMessagesRequest } from '../../../schemas/generated.js'
import { findMessages } from '../../routes/message/find.js'
import { defineTool } from '../tool.js'
import { messageViews } from '../views.js'

const LIMIT = 20

export const readMessages = defineTool<McpReadMessagesRequest, McpReadMessagesReply>({
  name: 'read_messages',
  title: 'Read messages',
  schema: 'mcp/read-messages.json',
  routes: [findMessages],
  isReadOnly: true,
  async run({ args: { chat, text, before, after, limit = LIMIT }, ask, warnings }) {
    const found = await ask<FindMessagesReply>(findMessages, {
      ...(chat ? { chatid: chat } : {}),
      ...(text ? { text } : {}),
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
      limit,
    })
    return { messages: messageViews(found.messages), older: found.older, newer: found.newer, warnings }
  },
})
