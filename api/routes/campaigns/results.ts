import { Readable } from 'node:stream'
import { recipientRecord } from '../../../schemas/campaign-records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { CampaignResultsQuery } from '../../../schemas/generated.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { csvLine } from '../../answers/csv.js'
import type { ApiPorts } from '../../ports.js'
import { Answer, instanceRoute } from '../../route.js'
import { readFolderId } from './head.js'

// Bound: 100, an id.

const PAGE = 1_000
const COLUMNS = [
  'ordinal',
  'number',
  'status',
  'messageid',
  'attempts',
  'reason',
  'error',
  'provider_code',
  'replied_at',
  'updated',
]

export const campaignResults = instanceRoute<undefined, CampaignResultsQuery>({
  method: 'GET',
  path: '/sender/results',
  isSearch: true,
  name: 'campaignResults',
  area: 'Campaign',
  scope: 'read',
  summary: 'Download the results of a campaign as CSV',
  schema: 'sender/results.json',
  produces: 'text/csv',
  errors: ['CAMPAIGN_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<Answer> {
    const id = readFolderId(query)
    if ((await ports.campaigns.find(instance.id, id)) === null) throw new GatewayError('CAMPAIGN_NOT_FOUND')
    return new Answer({
      body: Readable.from(writeLines(instance, id, ports), { objectMode: false }),
      type: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="campaign-${id.replace(/\W/g, '')}.csv"` },
    })
  },
})

/** Writes the recipients page by page: there may be a million of them. */
async function* writeLines(instance: InstanceRow, id: string, { campaigns }: ApiPorts): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for (let after = -1; ; ) {
    const rows = await campaigns.recipients(instance.id, id, { filter: null, limit: PAGE, offset: 0, after })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
      .map((row) => {
        const record = recipientRecord(row, id, instance.owner)
        const number = row.address.replace(/@s\.whatsapp\.net$/, '')
        const { ordinal, status, messageid, attempts, reason, error, provider_code: code, replied_at, updated } = record
        return csvLine([
          ordinal,
          number,
          status,
          messageid,
          attempts,
          reason ?? '',
          error ?? '',
          code ?? '',
          replied_at,
          updated,
        ])
      })
      .join('')
    after = last.ordinal
  }
}
