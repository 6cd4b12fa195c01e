import type { LinkPreview } from '../../../actors/instance/commands.js'
import type { SendTextReply, SendTextRequest } from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { linkPreviewOf } from './link-preview.js'
import { sendErrors } from './options.js'
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
  async handle(call, { ports }): Promise<SendTextReply> {
    const { body, warnings } = call
    // Before a page is fetched for it.
    parseAddress(body.number)
    const linkPreview = await linkPreviewOf(body, ports.linkPreviews, warnings)
    const content = {
      kind: 'text',
      text: body.text,
      ...(linkPreview === null ? {} : previewed(linkPreview, body)),
    } as const
    return sendReply(await askSend(call, content, ports.router))
  },
})

function previewed(linkPreview: LinkPreview, { linkPreviewTitle, linkPreviewDescription }: SendTextRequest) {
  return {
    linkPreview,
    ...(linkPreviewTitle === undefined ? {} : { previewTitle: linkPreviewTitle }),
    ...(linkPreviewDescription === undefined ? {} : { previewDescription: linkPreviewDescription }),
  }
}
