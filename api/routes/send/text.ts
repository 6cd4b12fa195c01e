import type { SendTextReply, SendTextRequest } from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'
import { idempotencyOf } from './idempotency.js'
import { linkPreviewOf } from './link-preview.js'
import { newMessageId } from './message-id.js'
import { sendErrors, sendOptionsOf } from './options.js'
import { sendReply } from './reply.js'

export const sendText = instanceRoute<SendTextRequest>({
  method: 'POST',
  path: '/send/text',
  name: 'sendText',
  area: 'Send',
  summary: 'Send a text',
  schema: 'send/text.json',
  idempotent: true,
  errors: [...sendErrors, 'URL_NOT_ALLOWED'],
  async handle({ instance, body, headers, warnings }, { ports }): Promise<SendTextReply> {
    parseAddress(body.number)
    const idempotency = idempotencyOf(headers, body)
    const linkPreview = await linkPreviewOf(body, ports.linkPreviews, warnings)
    const sent = await ports.router.ask(instance.id, {
      type: 'sendText',
      messageid: newMessageId(),
      number: body.number,
      text: body.text,
      options: sendOptionsOf(body),
      ...(linkPreview === null ? {} : { linkPreview }),
      ...idempotency,
    })
    warnings.push(...sent.warnings)
    return sendReply(sent.record)
  },
})
