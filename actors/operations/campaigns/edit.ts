import type { CampaignStatus } from '../../../schemas/campaign.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface EditCampaign {
  readonly folderId: string
  /** `begin`: it was created, and may begin. */
  readonly action: 'begin' | 'stop' | 'continue' | 'delete' | 'update'
  /** Of `update`: the maximum of messages in a day; null: none. */
  readonly dailyCap?: number | null
  /** Of `update`: IANA name. */
  readonly timezone?: string
}

/** Stops, continues, deletes or changes a campaign. Once a stop is answered, no further message of it begins. */
export const editCampaign = operation('editCampaign', {
  // Each action has the same result when it is repeated.
  repeat: true,
  example: (): { readonly status: CampaignStatus } => ({ status: 'paused' }),
  async run({ sends }: InstanceContext, { folderId, action, dailyCap = null, timezone }: EditCampaign) {
    const { campaigns } = sends
    switch (action) {
      case 'begin':
        campaigns.begin()
        return { status: 'scheduled' as const }
      case 'stop':
        return { status: await campaigns.pause(folderId) }
      case 'continue':
        return { status: await campaigns.resume(folderId) }
      case 'delete':
        return { status: await campaigns.remove(folderId) }
      case 'update':
        return { status: await campaigns.cap(folderId, dailyCap, timezone) }
    }
  },
})
