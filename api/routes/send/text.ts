import type { SendTextReply, SendTextRequest } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { LinkPreviews } from '../../../schemas/ports/media.js'
import type { LinkPreview, TextContent } from '../../../schemas/send-content.js'
import { type Context, instanceRoute } from '../../route.js'
import { askSendAs, messageIdFor } from './ask.js'
import { type FilesCall, withFiles } from './files.js'
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
    const { ports } = context
    // Checks the addresses before it fetches a page.
    checkAddresses(call.body)
    const messageid = messageIdFor(call, ports)
    const content = await textContentOf(call, messageid, context)
    const files = content.linkPreview?.picture === undefined ? [] : [content.linkPreview.picture]
    return sendReply(await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports)))
  },
})

/** Makes the content of a text, with the preview of its link if the body wants one. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
export async function textContentOf(
  call: FilesCall & { readonly body: SendTextRequest },
  messageid: MessageId,
  context: Context,
): Promise<TextContent> {
  const { body, warnings, instance } = call
  const { linkPreviews } = context.ports
  const own: LinkPreviews = {
    fetch: (url) => linkPreviews.fetch(url, instance.id),
    picture: (source) => linkPreviews.picture(source, instance.id),
    portrait: (source) => linkPreviews.portrait(source, instance.id),
  }
  const found = await linkPreviewOf(body, own, warnings)
  const linkPreview = found === null ? null : await enlarged(found, call, messageid, context)
  return { kind: 'text', text: body.text, ...(linkPreview === null ? {} : previewed(linkPreview, body)) }
}

function previewed(linkPreview: LinkPreview, { linkPreviewTitle, linkPreviewDescription }: SendTextRequest) {
  return {
    linkPreview,
    ...(linkPreviewTitle === undefined ? {} : { previewTitle: linkPreviewTitle }),
    ...(linkPreviewDescription === undefined ? {} : { previewDescription: linkPreviewDescription }),
  }
}
