import type { CheckNumbersReply, McpCheckNumberReply, McpCheckNumberRequest } from '../../../schemas/generated.js'
import { checkNumbers } from '../../routes/chat/check.js'
import { defineTool } from '../tool.js'

export const checkNumber = defineTool<McpCheckNumberRequest, McpCheckNumberReply>({
  name: 'check_number',
  title: 'Check numbers',
  schema: 'mcp/check-number.json',
  routes: [checkNumbers],
  isReadOnly: true,
  async run({ args: { numbers }, ask, warnings }) {
    const checked = await ask<CheckNumbersReply>(checkNumbers, { numbers })
    return {
      results: checked.map(({ query, isInWhatsapp, jid, error }) => ({
        ...{ query, has_account: isInWhatsapp, chat: jid, error },
      })),
      warnings,
    }
  },
})
