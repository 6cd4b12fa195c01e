import { GatewayError } from '../../../schemas/errors.js'
import type { StarMessageReply, StarMessageRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const starMessage = instanceRoute<StarMessageRequest>({
  method: 'POST',
  path: '/message/star',
  name: 'starMessage',
  area: 'Message',
  scope: 'token',
  summary: 'Star a message on all devices of the account, or take the star away',
  schema: 'message/star.json',
  errors: ['MISSING_ID', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_SENT', ...changeErrors],
  async handle({ instance, body: { id, star = true } }, { ports }): Promise<StarMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const { messageid } = await ports.router
      .ask(instance.id, { type: 'starMessage', id, isSet: star })
      .catch(withText('Error starring message'))
    return { response: star ? 'Message starred' : 'Message unstarred', id: messageid, starred: star }
  },
})
