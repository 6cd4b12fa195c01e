import type { GroupListQuery, GroupListReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupOf } from './record.js'

export const listErrors = [
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'GROUP_REFUSED',
  'OUTCOME_UNKNOWN',
] as const

export const listGroups = instanceRoute<undefined, GroupListQuery>({
  method: 'GET',
  path: '/group/list',
  isSearch: true,
  name: 'listGroups',
  area: 'Group',
  scope: 'read',
  summary: 'List the groups of the account',
  schema: 'group/list.json',
  errors: listErrors,
  async handle({ instance, query }, { ports }): Promise<GroupListReply> {
    const { force: isFresh = false, noparticipants = false } = query
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    const groups = (await ports.groups.list(instance.id)).map((group) => groupOf(group, own))
    return { groups: noparticipants ? groups.map((group) => ({ ...group, Participants: [] })) : groups }
  },
})
