import type { CampaignRow } from '../../../schemas/campaign.js'
import { recipientRecord } from '../../../schemas/campaign-records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { ListCampaignMessagesReply, ListCampaignMessagesRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { RecipientFilter } from '../../../schemas/ports/campaigns.js'
import { instanceRoute } from '../../route.js'
import { folderIdOf } from './folder-id.js'

const PAGE_SIZE = 100
/** The database reads all rows before such a page. */
const FILTERED_OFFSET_MAX = 20_000

const FILTERS = {
  Scheduled: 'scheduled',
  Sent: 'sent',
  Failed: 'failed',
  Skipped: 'skipped',
  Replied: 'replied',
} as const

export const listCampaignMessages = instanceRoute<ListCampaignMessagesRequest>({
  method: 'POST',
  path: '/sender/listmessages',
  name: 'listCampaignMessages',
  area: 'Campaign',
  scope: 'read',
  summary: 'List the messages of a campaign and what became of them',
  schema: 'sender/listmessages.json',
  isSearch: true,
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<ListCampaignMessagesReply> {
    const id = folderIdOf(body)
    const campaign = await ports.campaigns.find(instance.id, id)
    if (campaign === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    const filter = body.messageStatus === undefined ? null : FILTERS[body.messageStatus]
    const limit = body.limit ?? body.pageSize ?? PAGE_SIZE
    const offset = body.offset ?? ((body.page ?? 1) - 1) * limit
    const after = afterOf(body.after, filter, offset, campaign)
    const page = { filter, limit: limit + 1, offset, ...(after === undefined ? {} : { after }) }
    const rows = await ports.campaigns.recipients(instance.id, id, page)
    const shown = rows.slice(0, limit)
    const total = totalOf(campaign, filter)
    return {
      messages: shown.map((row) => recipientRecord(row, id, instance.owner)),
      pagination: {
        total,
        totalRecords: total,
        page: Math.floor(offset / limit) + 1,
        pageSize: limit,
        lastPage: Math.max(1, Math.ceil(total / limit)),
        limit,
        offset,
      },
      next: rows.length > limit ? (shown.at(-1)?.ordinal ?? null) : null,
    }
  },
})

/** Returns the ordinal after which a page begins, where no rows must be counted for it. @throws GatewayError INVALID_REQUEST */
function afterOf(
  given: number | undefined,
  filter: RecipientFilter | null,
  offset: number,
  { deleted }: CampaignRow,
): number | undefined {
  if (given !== undefined) return given
  // Ordinals have no gaps before something is deleted.
  if (filter === null && deleted === 0) return offset - 1
  if (offset > FILTERED_OFFSET_MAX)
    throw invalidField(
      'offset',
      `must be at most ${FILTERED_OFFSET_MAX} here; continue with after: the next of the page before`,
    )
  return undefined
}

function totalOf(campaign: CampaignRow, filter: RecipientFilter | null): number {
  const { total, deleted, sent, failed, skipped, replied } = campaign
  switch (filter) {
    case null:
      return total - deleted
    case 'sent':
      return sent
    case 'failed':
      return failed
    case 'skipped':
      return skipped
    case 'replied':
      return replied
    case 'scheduled':
      return total - deleted - sent - failed - skipped
  }
}
