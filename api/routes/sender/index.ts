import type { Route } from '../../route.js'
import { createAdvancedCampaign } from './advanced.js'
import { clearAllCampaigns, clearDoneCampaigns } from './clear.js'
import { copyCampaign } from './copy.js'
import { editCampaign } from './edit.js'
import { listCampaigns, showCampaign } from './folders.js'
import { listCampaignMessages } from './list-messages.js'
import { createSimpleCampaign } from './simple.js'

/** Routes of the area, in the order of the documentation. */
export const senderRoutes: readonly Route[] = [
  createSimpleCampaign,
  createAdvancedCampaign,
  copyCampaign,
  editCampaign,
  listCampaigns,
  showCampaign,
  listCampaignMessages,
  clearDoneCampaigns,
  clearAllCampaigns,
]
