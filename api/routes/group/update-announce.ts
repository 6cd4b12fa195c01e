import type { UpdateAnnounceReply, UpdateAnnounceRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateAnnounce = instanceRoute<UpdateAnnounceRequest>({
  method: 'POST',
  path: '/group/updateAnnounce',
  name: 'updateAnnounce',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to send to a group',
  schema: 'group/update-announce.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, announce } }, { ports }): Promise<UpdateAnnounceReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'announce', isSet: announce },
    })
    // Leaves out this field, as the interface does here.
    const {
      group: { MemberAddMode: _, ...group },
      needs_refresh,
    } = groupAfter(changed, instance.owner)
    return { response: announce ? 'Only admins may send now' : 'All members may send now', group, needs_refresh }
  },
})
