import { clearCampaigns } from './clear.js'
import { editCampaign } from './edit.js'

export const campaignOperations = [clearCampaigns, editCampaign] as const
