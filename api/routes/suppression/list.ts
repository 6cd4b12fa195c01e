import type { SuppressionQuery, SuppressionReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { suppressionRecord } from './record.js'

export const listSuppressions = instanceRoute<undefined, SuppressionQuery>({
  method: 'GET',
  path: '/sender/suppression',
  isSearch: true,
  name: 'listSuppressions',
  area: 'Campaign',
  scope: 'read',
  summary: 'List the people to whom campaigns send nothing',
  schema: 'suppression/list.json',
  errors: [],
  async handle({ instance, query: { limit = 100, cursor = '' } }, { ports }): Promise<SuppressionReply> {
    const after = cursor.replaceAll('\0', '')
    const { rows, hasMore } = await ports.suppressions.list(instance.id, { after, limit })
    return { suppressed: rows.map(suppressionRecord), next: hasMore ? (rows.at(-1)?.address ?? null) : null }
  },
})
