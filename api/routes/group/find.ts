import type { FindGroupsReply, FindGroupsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { pageOf, paginationOf } from '../pages.js'
import { listErrors } from './list.js'
import { groupOf } from './record.js'

const PAGE_SIZE = 50

export const findGroups = instanceRoute<FindGroupsRequest>({
  method: 'POST',
  path: '/group/list',
  isSearch: true,
  name: 'findGroups',
  area: 'Group',
  scope: 'read',
  summary: 'List the groups of the account, page by page',
  schema: 'group/find.json',
  errors: listErrors,
  async handle({ instance, body }, { ports }): Promise<FindGroupsReply> {
    const { force: isFresh = false, noParticipants = false, search = '', ...asked } = body
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    const page = pageOf(asked, PAGE_SIZE)
    const { groups, total } = await ports.groups.page(instance.id, { search, ...page })
    const records = groups.map((group) => groupOf(group, own))
    return {
      groups: noParticipants ? records.map((group) => ({ ...group, Participants: [] })) : records,
      pagination: paginationOf(total, page),
    }
  },
})
