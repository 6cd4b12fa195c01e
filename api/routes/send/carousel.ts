import { parseCarousel } from '../../../schemas/choices/carousel.js'
import type { SendCarouselReply, SendCarouselRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askMenu } from './ask-menu.js'
import { fileErrors } from './files.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendCarousel = instanceRoute<SendCarouselRequest>({
  method: 'POST',
  path: '/send/carousel',
  name: 'sendCarousel',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a carousel of cards',
  schema: 'send/carousel.json',
  fileFields: ['carousel[].image', 'carousel[].video', 'carousel[].document'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors],
  async handle(call, context): Promise<SendCarouselReply> {
    return sendReply(await askMenu(call, 'carousel', parseCarousel(call.body), context))
  },
})
