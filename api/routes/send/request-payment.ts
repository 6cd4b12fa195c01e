import { mediaSourceOf } from '../../../schemas/choices/media-source.js'
import type { CardMedia } from '../../../schemas/choices/menu.js'
import type { SendRequestPaymentReply, SendRequestPaymentRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parsePaymentRequest } from '../../../schemas/payment-request.js'
import { instanceRoute } from '../../route.js'
import { withSendErrorMessage } from '../message/reduced-record.js'
import { askSendAs, messageIdFor } from './ask.js'
import { fileErrors, isAnswered, takeMedia, withFiles } from './files.js'
import { checkAddresses, sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendRequestPayment = instanceRoute<SendRequestPaymentRequest>({
  method: 'POST',
  path: '/send/request-payment',
  name: 'sendRequestPayment',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Request a payment in Brazil, by Pix, boleto or link',
  schema: 'send/request-payment.json',
  fileFields: ['fileurl'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors],
  async handle(call, context): Promise<SendRequestPaymentReply> {
    const { ports } = context
    const payment = parsePaymentRequest(call.body)
    const media = documentOf(call.body)
    checkAddresses(call.body)
    const messageid = messageIdFor(call, ports)
    const isKnown = media.length > 0 && (await isAnswered(call, context))
    const files = isKnown ? [] : await takeMedia(media, call, messageid, context)
    const content = { kind: 'payment', payment, ...(media.length === 0 ? {} : { files }) } as const
    const record = await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports)).catch(
      withSendErrorMessage('Failed to send the request for a payment'),
    )
    return sendReply(media.length === 0 ? record : { ...record, fileURL: ports.media.linkTo(call.instance.id, record) })
  },
})

/** Returns the document above the text, if the caller gave one. @throws GatewayError INVALID_REQUEST */
function documentOf({ fileUrl, fileName }: SendRequestPaymentRequest): readonly CardMedia[] {
  if (!fileUrl?.trim()) return []
  const source = mediaSourceOf(fileUrl)
  if (source === null) throw invalidField('fileUrl', 'is neither an http or https URL nor base64')
  return [{ at: 'fileUrl', kind: 'document', source, ...(fileName ? { filename: fileName } : {}) }]
}
