import type { McpReactReply, McpReactRequest, ReactReply } from '../../../schemas/generated.js'
import { reactToMessage } from '../../routes/message/react.js'
import { defineTool } from '../tool.js'

export const react = defineTool<McpReactRequest, McpReactReply>({
  name: 'react',
  title: 'React to a message',
  schema: 'mcp/react.json',
  routes: [reactToMessage],
  isIdempotent: true,
  async run({ args: { chat, id, emoji }, ask, warnings }) {
    const { reaction, message } = await ask<ReactReply>(reactToMessage, { number: chat, id, text: emoji })
    return { id: reaction.id, summary: message, warnings }
  },
})
