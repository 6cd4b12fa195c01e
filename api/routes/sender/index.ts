import type { Route } from '../../route.js'
import { createAdvancedCampaign } from './advanced.js'
import { clearAllCampaigns, clearDoneCampaigns } from './clear.js'
import { copyCampaign } from './copy.js'
import { showCampaignCourse } from './course.js'
import { editCampaign } from './edit.js'
import { listCampaigns, showCampaign } from './folders.js'
import { importCampaign } from './import.js'
import { listCampaignMessages } from './list-messages.js'
import { campaignResults } from './results.js'
import { createSimpleCampaign } from './simple.js'

/** Routes of the area, in the order of the documentation. */
export const senderRoutes: readonly Route[] = [
  createSimpleCampaign,
  createAdvancedCampaign,
  importCampaign,
  copyCampaign,
  editCampaign,
  listCampaigns,
  showCampaign,
  showCampaignCourse,
  listCampaignMessages,
  campaignResults,
  clearDoneCampaigns,
  clearAllCampaigns,
]
