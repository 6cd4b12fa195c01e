import type { UpdateGroupImageReply, UpdateGroupImageRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { portraitOf } from '../portrait.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateGroupImage = instanceRoute<UpdateGroupImageRequest>({
  method: 'POST',
  path: '/group/updateImage',
  name: 'updateGroupImage',
  area: 'Group',
  scope: 'token',
  summary: 'Change the picture of a group',
  schema: 'group/update-image.json',
  errors: ['URL_NOT_ALLOWED', 'FETCH_FAILED', ...groupErrors],
  async handle({ instance, body: { groupjid, image } }, { ports }): Promise<UpdateGroupImageReply> {
    const jid = groupJid(groupjid)
    const jpeg = await portraitOf(image, instance.id, ports.linkPreviews)
    const asked = { type: 'changeGroup', group: jid, change: { kind: 'picture', jpeg } } as const
    const changed = await ports.router.ask(instance.id, asked)
    const response = jpeg === null ? 'Group image removed' : 'Group image updated'
    return { response, ...groupAfter(changed, instance.owner) }
  },
})
