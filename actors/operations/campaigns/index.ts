import type { CampaignStatus } from '../../../schemas/campaign.js'
import type { PacedKind, PacingOutlook } from '../../../schemas/pacing.js'
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
const editCampaign = operation('editCampaign', {
  // Each action has the same result when it is repeated.
  repeat: true,
  example: (): { readonly status: CampaignStatus } => ({ status: 'paused' }),
  async run({ campaigns }: InstanceContext, { folderId, action, dailyCap = null, timezone }: EditCampaign) {
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

interface ShowOutlook {
  readonly kind: PacedKind
}

const example: PacingOutlook = {
  nowMs: 0,
  inUseSinceMs: 0,
  sendsPerMinute: 60,
  restUntilMs: null,
  newChats: { left: 5, hold: null, untilMs: null },
}

/** Shows what sends of a kind may leave on the rest of the UTC day. */
const showOutlook = operation('showOutlook', {
  repeat: true,
  example,
  run: ({ pacer }: InstanceContext, { kind }: ShowOutlook): Promise<PacingOutlook> => pacer.outlook(kind),
})

interface ClearCampaigns {
  /** Only campaigns that ended so long ago; null: all. */
  readonly endedForMs: number | null
  /** Only this one. */
  readonly folderId?: string
}

/** Deletes campaigns with their recipients. Answers with their numbers. The rows are deleted in the background. */
const clearCampaigns = operation('clearCampaigns', {
  repeat: true,
  example: { folders: 0, recipients: 0 },
  run: (
    { campaigns }: InstanceContext,
    { endedForMs, folderId }: ClearCampaigns,
  ): Promise<{ readonly folders: number; readonly recipients: number }> => campaigns.clear(endedForMs, folderId),
})

export const campaignOperations = [clearCampaigns, editCampaign, showOutlook] as const
