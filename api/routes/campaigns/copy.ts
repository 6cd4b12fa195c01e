import type { CampaignOptions, CampaignRow } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { CopyCampaignReply, CopyCampaignRequest } from '../../../schemas/generated.js'
import { idempotencyOf } from '../../input/idempotency.js'
import { instanceRoute } from '../../route.js'
import { createdReply } from './create.js'
import { folderIdOf } from './folder-id.js'
import { begin, createErrors, newFolderId, startsInMs } from './head.js'
import { findCampaignToday } from './today.js'

// Ours: options of a campaign, as we stored them.

export const copyCampaign = instanceRoute<CopyCampaignRequest>({
  method: 'POST',
  path: '/sender/copy',
  name: 'copyCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign that repeats another one, for those that failed or for all',
  schema: 'sender/copy.json',
  idempotent: true,
  errors: [...createErrors, 'CAMPAIGN_NOT_FOUND', 'MEDIA_FILE_GONE'],
  async handle({ instance, body, headers, warnings }, context): Promise<CopyCampaignReply> {
    const idempotency = idempotencyOf(headers, body)
    const folder = body.folder?.trim()
    const campaign = {
      id: newFolderId(),
      ...(folder ? { folder } : {}),
      startsInMs: startsInMs(body.scheduled_for, warnings),
      ...idempotency,
    }
    const which = body.recipients ?? 'failed'
    const created = await context.ports.campaigns.copy(instance.id, folderIdOf(body), which, campaign)
    if (created === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    if (!created.isFormer) void begin(instance, created.id, context)
    const stored = created.isFormer ? null : await context.ports.campaigns.find(instance.id, created.id)
    const today =
      stored === null ? null : await findCampaignToday({ instance, warnings }, plannedOf(stored), stored.id, context)
    return createdReply(created, [], { today })
  },
})

export function plannedOf({ total, options, dailyCap, scheduledAt, delayMinMs, delayMaxMs }: CampaignRow) {
  const { window } = JSON.parse(options) as CampaignOptions
  const startsInMs = Math.max(0, scheduledAt.getTime() - Date.now())
  return { count: total, startsInMs, delayMinMs, delayMaxMs, window, dailyCap: dailyCap ?? undefined }
}
