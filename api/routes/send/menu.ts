import { parseMenu } from '../../../schemas/choices/parse.js'
import type { SendMenuReply, SendMenuRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askMenu } from './ask-menu.js'
import { fileErrors } from './files.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendMenu = instanceRoute<SendMenuRequest>({
  method: 'POST',
  path: '/send/menu',
  name: 'sendMenu',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send buttons, a list, a poll or a carousel',
  schema: 'send/menu.json',
  fileFields: ['imagebutton', 'choices[]{}'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors],
  async handle(call, context): Promise<SendMenuReply> {
    return sendReply(await askMenu(call, 'menu', parseMenu(call.body), context))
  },
})
