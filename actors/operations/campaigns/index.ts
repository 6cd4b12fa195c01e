import { clearCampaigns } from './clear.js'
import { editCampaign } from './edit.js'
import { showOutlook } from './outlook.js'

export const campaignOperations = [clearCampaigns, editCampaign, showOutlook] as const
