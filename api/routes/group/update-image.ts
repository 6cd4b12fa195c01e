import { pictureSourceOf } from '../../../schemas/choices/media-source.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { UpdateGroupImageReply, UpdateGroupImageRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { LinkPreviews } from '../../../schemas/ports/media.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, groupOf } from './record.js'

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
    const jpeg = /^(remove|delete)$/i.test(image.trim())
      ? null
      : await pictureOf(image, instance.id, ports.linkPreviews)
    const asked = { type: 'changeGroup', group: jid, change: { kind: 'picture', jpeg } } as const
    const { group } = await ports.router.ask(instance.id, asked)
    const response = jpeg === null ? 'Group image removed' : 'Group image updated'
    return { response, group: groupOf(group, instance.owner) }
  },
})

async function pictureOf(image: string, owner: InstanceId, pictures: LinkPreviews): Promise<string> {
  const source = pictureSourceOf(image)
  const jpeg = source === null ? null : await pictures.portrait(source, owner)
  if (jpeg !== null) return jpeg
  const why = 'is no picture (JPEG, PNG, WebP or GIF of at most 5 MiB), and no URL or base64 of one'
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: image ${why}.`,
    details: [{ field: 'image', why }],
  })
}
