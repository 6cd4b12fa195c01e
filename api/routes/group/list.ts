import type { GroupListQuery } from '../../../schemas/generated.js'
import { type Answer, instanceRoute } from '../../route.js'
import { groupsAnswer, leavesMembersOut } from './record.js'

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
  async handle({ instance, query }, { ports }): Promise<Answer> {
    const { force: isFresh = false, noparticipants, getParticipants } = query
    const noParticipants = leavesMembersOut(noparticipants, getParticipants)
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    return groupsAnswer(ports.groups.all(instance.id), { own, instance: instance.id, noParticipants })
  },
})
