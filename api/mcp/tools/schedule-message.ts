import type { McpScheduleMessageReply, McpScheduleMessageRequest, SentMessage } from '../../../schemas/generated.js'
import { sendText } from '../../routes/send/text.js'
import { defineTool } from '../tool.js'
import { namedSend, sentView } from './sent.js'

export const scheduleMessage = defineTool<McpScheduleMessageRequest, McpScheduleMessageReply>({
  name: 'schedule_message',
  title: 'Send a text later',
  schema: 'mcp/schedule-message.json',
  routes: [sendText],
  async run({ args: { to, text, send_at, timezone, idempotency_key }, ask, meet, warnings }) {
    await meet(to, text)
    const body = { number: to, text, send_at, ...(timezone ? { timezone } : {}) }
    return sentView(await ask<SentMessage>(sendText, body, namedSend(idempotency_key)), warnings)
  },
})
