import type { ListPassesQuery, PassesReply } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { passRecord } from '../../answers/pass-record.js'
import { eitherRoute } from '../../route.js'

export const listPasses = eitherRoute<undefined, ListPassesQuery>({
  method: 'GET',
  path: '/passes',
  name: 'listPasses',
  area: 'Passes',
  scope: 'token',
  isSearch: true,
  summary: 'List the passes of the instance, or all for the administrator, without what opens anything',
  schema: 'pass/list.json',
  errors: [],
  async handle({ instance, query }, { ports }): Promise<PassesReply> {
    const of = instance?.id ?? ((query.instance ?? null) as InstanceId | null)
    const { passes, next } = await ports.passes.list(of, query.limit ?? 500, query.cursor)
    return { passes: passes.map(passRecord), hasMore: next !== null, next }
  },
})
