import type { SetChatwootReply, SetChatwootRequest } from '../../../schemas/generated.js'
import type { ChatwootInput } from '../../../schemas/ports/chatwoot.js'
import { instanceRoute } from '../../route.js'

export const setChatwoot = instanceRoute<SetChatwootRequest>({
  method: 'PUT',
  path: '/chatwoot/config',
  name: 'setChatwoot',
  area: 'Chatwoot',
  scope: 'token',
  summary: 'Connect the instance with an inbox of Chatwoot',
  schema: 'chatwoot/set.json',
  errors: ['URL_NOT_ALLOWED', 'CHATWOOT_REFUSED', 'CHATWOOT_UNREACHABLE', 'CHATWOOT_LINKED'],
  async handle({ instance, body, warnings }, { ports }): Promise<SetChatwootReply> {
    const { webhookUrl, enabled } = await ports.chatwoot.set(instance.id, inputOf(body), warnings)
    const message = enabled ? 'Messages are carried from now on.' : 'Messages are not carried.'
    return { message, chatwoot_inbox_webhook_url: webhookUrl }
  },
})

function inputOf(body: SetChatwootRequest): ChatwootInput {
  return {
    enabled: body.enabled,
    url: body.url,
    accessToken: body.access_token,
    accountId: body.account_id,
    inboxId: body.inbox_id,
    inboxName: body.inbox_name,
    createsInbox: body.create_inbox ?? false,
    ignoreGroups: body.ignore_groups ?? false,
    signMessages: body.sign_messages ?? false,
    createNewConversation: body.create_new_conversation ?? false,
    relink: body.relink ?? false,
  }
}
