import type {
  ClearAllCampaignsReply,
  ClearDoneCampaignsReply,
  ClearDoneCampaignsRequest,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

const HOURS = 168
const errors = ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'OUTCOME_UNKNOWN'] as const

export const clearDoneCampaigns = instanceRoute<ClearDoneCampaignsRequest>({
  method: 'POST',
  path: '/sender/cleardone',
  name: 'clearDoneCampaigns',
  area: 'Campaign',
  scope: 'token',
  summary: 'Delete finished campaigns',
  schema: 'sender/cleardone.json',
  errors,
  async handle({ instance, body }, { ports }): Promise<ClearDoneCampaignsReply> {
    const endedForMs = (body.hours ?? HOURS) * 60 * 60_000
    const { folders, recipients } = await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs })
    return { status: 'cleanup started', folders_deleted: folders, messages_deleted: recipients }
  },
})

export const clearAllCampaigns = instanceRoute({
  method: 'DELETE',
  path: '/sender/clearall',
  name: 'clearAllCampaigns',
  area: 'Campaign',
  scope: 'token',
  summary: 'Delete all campaigns, sent or not',
  schema: 'sender/clearall.json',
  errors,
  async handle({ instance }, { ports }): Promise<ClearAllCampaignsReply> {
    const { folders, recipients } = await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs: null })
    return {
      status: 'processed',
      info: 'All campaigns are being deleted; messages stay in their chats',
      folders_deleted: folders,
      messages_deleted: recipients,
    }
  },
})
