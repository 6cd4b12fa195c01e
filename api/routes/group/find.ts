import type { FindGroupsRequest } from '../../../schemas/generated.js'
import { type Answer, instanceRoute } from '../../route.js'
import { pageOf, paginationOf } from '../pages.js'
import { listErrors } from './list.js'
import { groupsAnswer, leavesMembersOut } from './record.js'

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
  async handle({ instance, body, warnings }, { ports }): Promise<Answer> {
    const { force: isFresh = false, noParticipants: isWithout, getParticipants, search = '', ...asked } = body
    const noParticipants = leavesMembersOut(isWithout, getParticipants)
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    const page = pageOf(asked, PAGE_SIZE)
    const { groups, total } = await ports.groups.page(instance.id, { search, ...page })
    const more = { pagination: paginationOf(total, page), ...(warnings.length === 0 ? {} : { warnings }) }
    return groupsAnswer(groups, { own, instance: instance.id, noParticipants, more })
  },
})
