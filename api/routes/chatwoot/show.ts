import type { ChatwootConfigReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showChatwoot = instanceRoute({
  method: 'GET',
  path: '/chatwoot/config',
  name: 'showChatwoot',
  area: 'Chatwoot',
  scope: 'token',
  summary: 'Show the Chatwoot of the instance, and how it goes',
  schema: 'chatwoot/config.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<ChatwootConfigReply> {
    const shown = await ports.chatwoot.show(instance.id)
    if (shown === null) return NONE
    return {
      chatwoot_enabled: shown.enabled,
      chatwoot_url: shown.url,
      chatwoot_account_id: shown.accountId,
      chatwoot_inbox_id: shown.inboxId,
      chatwoot_access_token: shown.tokenMask,
      chatwoot_ignore_groups: shown.ignoreGroups,
      chatwoot_sign_messages: shown.signMessages,
      chatwoot_create_new_conversation: shown.createNewConversation,
      chatwoot_inbox_webhook_url: shown.webhookUrl,
      signed: shown.isSigned,
      state: shown.state,
      last_error: shown.lastError,
      last_sent: shown.lastSent?.toISOString() ?? '',
      last_received: shown.lastReceived?.toISOString() ?? '',
      replies_waiting: shown.repliesWaiting,
      replies_failed: shown.repliesFailed,
      replies_missed: shown.repliesMissed,
      webhook_id: shown.webhookId,
    }
  },
})

const NONE: ChatwootConfigReply = {
  chatwoot_enabled: false,
  chatwoot_url: '',
  chatwoot_account_id: 0,
  chatwoot_inbox_id: 0,
  chatwoot_access_token: '',
  chatwoot_ignore_groups: false,
  chatwoot_sign_messages: false,
  chatwoot_create_new_conversation: false,
}
