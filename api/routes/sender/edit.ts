import type { EditCampaignReply, EditCampaignRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { parseTimeZone } from '../../../schemas/time-zone.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute } from '../../route.js'
import { folderIdOf } from './folder-id.js'

const SENTENCES = {
  stop: 'The campaign is paused; nothing more of it begins',
  continue: 'The campaign continues where it stopped',
  delete: 'What was not sent is being deleted',
  update: 'The campaign keeps its new maximum of messages in a day',
} as const

export const editCampaign = instanceRoute<EditCampaignRequest>({
  method: 'POST',
  path: '/sender/edit',
  name: 'editCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Stop, continue, delete or change a campaign',
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
    if (action === 'delete' && (await isDone(instance, folderId, ports))) {
      capOf(body)
      await ports.router.ask(instance.id, { type: 'clearCampaigns', endedForMs: 0, folderId })
      return { status: 'deleting', message: 'The finished campaign is being deleted; messages stay in their chats' }
    }
    const { status } = await ports.router.ask(instance.id, { type: 'editCampaign', folderId, action, ...capOf(body) })
    return { status, message: SENTENCES[action] }
  },
})

/**
 * Returns true if a campaign has ended. Its deletion is another command than that of what was not sent, so that a repeat of the one never
 * becomes the other.
 */
async function isDone({ id }: Pick<InstanceRow, 'id'>, folderId: string, { campaigns }: ApiPorts): Promise<boolean> {
  return (await campaigns.find(id, folderId))?.status === 'done'
}

/** @throws GatewayError INVALID_REQUEST */
function capOf({ action, dailyCap, timezone }: EditCampaignRequest) {
  if (action === 'update') {
    if (dailyCap === undefined)
      throw invalidField('dailyCap', 'is required by the action update; null means no maximum')
    return { dailyCap, ...(timezone === undefined ? {} : { timezone: parseTimeZone(timezone) }) }
  }
  for (const [field, value] of Object.entries({ dailyCap, timezone }))
    if (value !== undefined) throw invalidField(field, `is changed by the action update, not by ${action}`)
  return {}
}
