import { folderRecord } from '../../../schemas/campaign-records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  ListCampaignsQuery,
  ListCampaignsReply,
  ShowCampaignQuery,
  ShowCampaignReply,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const listCampaigns = instanceRoute<undefined, ListCampaignsQuery>({
  method: 'GET',
  path: '/sender/listfolders',
  name: 'listCampaigns',
  area: 'Campaign',
  scope: 'read',
  summary: 'List campaigns with their counters',
  schema: 'sender/listfolders.json',
  errors: [],
  async handle({ instance, query: { status } }, { ports }): Promise<ListCampaignsReply> {
    const which = status === 'Active' ? 'active' : status === 'Archived' || status === 'done' ? 'archived' : 'all'
    const campaigns = await ports.campaigns.list(instance.id, which)
    const isState = status !== undefined && status !== 'Active' && status !== 'Archived'
    return campaigns.filter((one) => !isState || one.status === status).map((one) => folderRecord(one, instance.owner))
  },
})

export const showCampaign = instanceRoute<undefined, ShowCampaignQuery>({
  method: 'GET',
  path: '/sender/folder',
  name: 'showCampaign',
  area: 'Campaign',
  scope: 'read',
  summary: 'Show a campaign with its counters',
  schema: 'sender/folder.json',
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, query: { id } }, { ports }): Promise<ShowCampaignReply> {
    const campaign = await ports.campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    return folderRecord(campaign, instance.owner)
  },
})
