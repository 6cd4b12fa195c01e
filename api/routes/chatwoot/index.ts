import type { ChatwootConfigReply, SetChatwootReply, SetChatwootRequest } from '../../../schemas/generated.js'
import type { ChatwootInput } from '../../../schemas/ports/chatwoot.js'
import { instanceRoute, openRoute, type Route } from '../../route.js'

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
    const { webhookUrl, enabled } = await ports.chatwoot.set(instance.id, toInput(body), warnings)
    const message = enabled ? 'Messages are carried from now on.' : 'Messages are not carried.'
    return { message, chatwoot_inbox_webhook_url: webhookUrl }
  },
})

function toInput(body: SetChatwootRequest): ChatwootInput {
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

const receiveChatwoot = openRoute<Buffer>({
  method: 'POST',
  path: '/chatwoot/webhook/:instance/:secret',
  name: 'receiveChatwoot',
  area: 'Chatwoot',
  summary: 'Take a webhook of Chatwoot; the path holds a secret, and no token is needed',
  takesBytes: true,
  hidden: true,
  errors: [
    ...(['CHATWOOT_WEBHOOK_REFUSED', 'CHATWOOT_OFF', 'MALFORMED_JSON', 'BODY_TOO_LARGE'] as const),
    ...(['QUEUE_FULL', 'STORE_UNAVAILABLE'] as const),
  ],
  async admit({ instance = '', secret = '' }, headers, { ports }) {
    await ports.chatwoot.admit(instance, secret, headers)
    return instance
  },
  async handle({ params, headers, body }, { ports }) {
    const { instance = '', secret = '' } = params
    await ports.chatwoot.receive(instance, secret, headers, body)
    return {}
  },
})

/** Routes of the area, in the order of the documentation. */
export const chatwootRoutes: readonly Route[] = [showChatwoot, setChatwoot, receiveChatwoot]
