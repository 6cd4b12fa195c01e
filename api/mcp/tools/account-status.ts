import type { McpAccountStatusReply, McpAccountStatusRequest, StatusReply } from '../../../schemas/generated.js'
import { showStatus } from '../../routes/instance/status.js'
import { defineTool } from '../tool.js'
import { visibleText } from '../visible-text.js'

export const accountStatus = defineTool<McpAccountStatusRequest, McpAccountStatusReply>({
  name: 'account_status',
  title: 'Status of the account',
  schema: 'mcp/account-status.json',
  routes: [showStatus],
  isReadOnly: true,
  async run({ caller, ask }) {
    const { instance, status } = await ask<StatusReply>(showStatus)
    return {
      connected: status.connected,
      paired: status.loggedIn,
      state: status.state,
      number: instance.owner ?? '',
      name: visibleText(instance.name, 200),
      scopes: [...(caller.key?.scopes ?? [])],
      only_chat: caller.key?.chat ?? '',
    }
  },
})
