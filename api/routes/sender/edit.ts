import type { EditCampaignReply, EditCampaignRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { folderIdOf } from './folder-id.js'

const SENTENCES = {
  stop: 'The campaign is paused; nothing more of it begins',
  continue: 'The campaign goes on where it stopped',
  delete: 'What was not sent is being deleted',
} as const

export const editCampaign = instanceRoute<EditCampaignRequest>({
  method: 'POST',
  path: '/sender/edit',
  name: 'editCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Stop, continue or delete a campaign',
  schema: 'sender/edit.json',
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ENDED',
    'CAMPAIGN_OTHER_ACCOUNT',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body }, { ports }): Promise<EditCampaignReply> {
    const { action } = body
    const folderId = folderIdOf(body)
    const { status } = await ports.router.ask(instance.id, { type: 'editCampaign', folderId, action })
    return { status, message: SENTENCES[action] }
  },
})
