import type { SendTextReply, SendTextRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { LinkPreviews } from '../../../schemas/ports/media.js'
import type { LinkPreview } from '../../../schemas/send-content.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { withFiles } from './files.js'
import { enlarged, linkPreviewOf } from './link-preview.js'
import { checkAddresses, sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendText = instanceRoute<SendTextRequest>({
  method: 'POST',
  path: '/send/text',
  name: 'sendText',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a text',
  schema: 'send/text.json',
  idempotent: true,
  errors: [...sendErrors, 'URL_NOT_ALLOWED'],
  async handle(call, context): Promise<SendTextReply> {
    const { body, warnings, instance } = call
    const { linkPreviews, router } = context.ports
    const own: LinkPreviews = {
      fetch: (url) => linkPreviews.fetch(url, instance.id),
      picture: (source) => linkPreviews.picture(source, instance.id),
      portrait: (source) => linkPreviews.portrait(source, instance.id),
    }
    // Checks the addresses before it fetches a page.
    checkAddresses(body)
    const found = await linkPreviewOf(body, own, warnings)
    const messageid = newMessageId()
    const linkPreview = found === null ? null : await enlarged(found, call, messageid, context)
    const content = {
      kind: 'text',
      text: body.text,
      ...(linkPreview === null ? {} : previewed(linkPreview, body)),
    } as const
    const files = linkPreview?.picture === undefined ? [] : [linkPreview.picture]
    return sendReply(await withFiles(files, messageid, context, () => askSend(call, content, router, messageid)))
  },
})

function previewed(linkPreview: LinkPreview, { linkPreviewTitle, linkPreviewDescription }: SendTextRequest) {
  return {
    linkPreview,
    ...(linkPreviewTitle === undefined ? {} : { previewTitle: linkPreviewTitle }),
    ...(linkPreviewDescription === undefined ? {} : { previewDescription: linkPreviewDescription }),
  }
}
