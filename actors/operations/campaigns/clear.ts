import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface ClearCampaigns {
  /** Only campaigns that ended so long ago; null: all. */
  readonly endedForMs: number | null
  /** Only this one. */
  readonly folderId?: string
}

/** Deletes campaigns with their recipients. Answers with their numbers. The rows are deleted in the background. */
export const clearCampaigns = operation('clearCampaigns', {
  repeat: true,
  example: { folders: 0, recipients: 0 },
  run: (
    { sends }: InstanceContext,
    { endedForMs, folderId }: ClearCampaigns,
  ): Promise<{ readonly folders: number; readonly recipients: number }> => sends.campaigns.clear(endedForMs, folderId),
})
