import type { ChatPictureRequest } from '../../../schemas/generated.js'
import { Answer, instanceRoute } from '../../route.js'

export const giveChatPicture = instanceRoute<ChatPictureRequest>({
  method: 'POST',
  path: '/chat/picture',
  name: 'giveChatPicture',
  area: 'Chat',
  scope: 'read',
  keyChat: { chat: 'number', isNarrowed: true },
  summary: 'Give the picture of a person, a group or the own account, fetched by the gateway',
  schema: 'chat/picture.json',
  produces: 'image/jpeg',
  emptyMeans: 'There is no picture, or the account may not see it.',
  errors: [
    'MEDIA_UNAVAILABLE',
    'INVALID_NUMBER',
    'RATE_LIMITED',
    'NOT_LOGGED_IN',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, body: { number = '', preview = false } }, { ports }) {
    const picture = await ports.media.chatPicture(instance.id, { number, preview })
    if (picture === null) return new Answer({ status: 204, type: 'image/jpeg', body: '' })
    return new Answer({
      ...picture,
      headers: {
        'Content-Disposition': 'inline',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Cache-Control': 'private, max-age=3600',
      },
    })
  },
})
