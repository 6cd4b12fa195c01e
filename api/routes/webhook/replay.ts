import type { ReplayWebhookReply, ReplayWebhookRequest } from '../../../schemas/generated.js'
import { replayChoice, replayReply } from '../../answers/replay.js'
import { instanceRoute } from '../../route.js'
import { onlyWebhook } from './only-webhook.js'

export const replayWebhook = instanceRoute<ReplayWebhookRequest>({
  method: 'POST',
  path: '/webhook/replay',
  name: 'replayWebhook',
  area: 'Webhooks',
  scope: 'token',
  summary: 'Deliver dead letters again: all of a webhook, or chosen ones',
  schema: 'webhook/replay.json',
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ instance, body, warnings }, { ports }): Promise<ReplayWebhookReply> {
    const { webhookId, ...choice } = body
    // Events are exact, so they may belong to several webhooks. "all" needs one webhook.
    const id =
      webhookId ?? (choice.ids === undefined ? await onlyWebhook(ports.webhooks, instance.id, 'webhookId') : '')
    const outcome = await ports.webhooks.replay(instance.id, {
      ...replayChoice(choice),
      ...(id === '' ? {} : { webhookId: id }),
    })
    return replayReply(outcome, warnings)
  },
})
