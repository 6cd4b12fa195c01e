import type { ReplayGlobalWebhookReply, ReplayGlobalWebhookRequest } from '../../../schemas/generated.js'
import { replayChoice, replayReply } from '../../answers/replay.js'
import { adminRoute } from '../../route.js'

export const replayGlobalWebhook = adminRoute<ReplayGlobalWebhookRequest>({
  method: 'POST',
  path: '/globalwebhook/replay',
  name: 'replayGlobalWebhook',
  area: 'Administration',
  summary: 'Deliver dead letters of the global webhook again: all, or chosen ones',
  schema: 'globalwebhook/replay.json',
  errors: [],
  async handle({ body, warnings }, { ports }): Promise<ReplayGlobalWebhookReply> {
    return replayReply(await ports.webhooks.replay(null, replayChoice(body)), warnings)
  },
})
