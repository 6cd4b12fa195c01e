import { GatewayError } from '../../../schemas/errors.js'
import type { CreatedCampaign, NewCampaign } from '../../../schemas/ports/campaigns.js'
import { filesOf } from '../../../schemas/send-files.js'
import type { Context } from '../../route.js'
import type { CampaignCall } from './content.js'
import { begin, type InvalidEntry } from './head.js'

/** Stores a campaign whose files were taken, and lets it begin. Releases the files if it is surely not stored. */
export async function createCampaign(
  { instance }: CampaignCall,
  campaign: NewCampaign,
  invalid: readonly InvalidEntry[],
  context: Context,
) {
  const { ports } = context
  const release = (): void => {
    for (const { file } of filesOfCampaign(campaign)) void ports.media.release(file)
  }
  const created = await ports.campaigns.create(instance.id, campaign).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code !== 'OUTCOME_UNKNOWN') release()
    throw error
  })
  if (created.isFormer) release()
  else void begin(instance, created.id, context)
  return createdReply(created, invalid)
}

export function createdReply({ id, count, duplicates, recent }: CreatedCampaign, invalid: readonly InvalidEntry[]) {
  return { folder_id: id, count, status: 'queued' as const, recent, duplicates, invalid: [...invalid] }
}

function filesOfCampaign({ send, recipients }: NewCampaign) {
  const sends = new Set([send, ...recipients.map((one) => one.send)])
  return [...sends].flatMap((one) => (one === null ? [] : filesOf(one.content)))
}
