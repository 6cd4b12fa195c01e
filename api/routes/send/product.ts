import { mediaSourceOf } from '../../../schemas/choices/media-source.js'
import type { MediaSource } from '../../../schemas/choices/menu.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { SendProductReply, SendProductRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { chatIdOf } from '../../../schemas/jid.js'
import type { ProductContent } from '../../../schemas/send-content.js'
import { type Context, instanceRoute } from '../../route.js'
import { businessOf } from '../business/profile.js'
import { askSendAs, messageIdFor } from './ask.js'
import { fileErrors, isAnswered, takeMedia, withFiles } from './files.js'
import { checkAddresses, sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendProduct = instanceRoute<SendProductRequest>({
  method: 'POST',
  path: '/send/product',
  name: 'sendProduct',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a product of a catalogue',
  schema: 'send/product.json',
  fileFields: ['image'],
  idempotent: true,
  errors: [
    ...sendErrors,
    ...fileErrors,
    'NOT_A_BUSINESS',
    'PRODUCT_NOT_FOUND',
    'MEDIA_UNAVAILABLE',
    'RATE_LIMITED',
    'NETWORK_REFUSED',
  ],
  async handle(call, context): Promise<SendProductReply> {
    const { ports } = context
    const { instance, body } = call
    checkAddresses(body)
    const seller = businessOf(body.jid || undefined)
    const messageid = messageIdFor(call, ports)
    const found = await ports.router.ask(instance.id, { type: 'showProduct', of: seller, id: body.id })
    const { id, name, description, retailer_id, price, currency, url, image_urls } = found
    const source = await pictureOf(body.image, image_urls[0], instance.id, context)
    const isKnown = await isAnswered(call, context)
    const files = isKnown ? [] : await takeMedia([{ at: 'image', kind: 'image', source }], call, messageid, context)
    const content: ProductContent = {
      kind: 'product',
      product: { id, name, description, retailer_id, price, currency, url, imageCount: Math.max(image_urls.length, 1) },
      seller: seller === null ? `${instance.owner}@s.whatsapp.net` : chatIdOf(seller),
      ...(body.text ? { text: body.text } : {}),
      ...(body.footer ? { footer: body.footer } : {}),
      files,
    }
    return sendReply(await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports)))
  },
})

/** Returns the caller's picture, or else that of the catalogue. @throws GatewayError INVALID_REQUEST, MEDIA_UNAVAILABLE */
async function pictureOf(
  given: string | undefined,
  url: string | undefined,
  instance: InstanceId,
  { ports }: Context,
): Promise<MediaSource> {
  if (given?.trim()) {
    const source = mediaSourceOf(given)
    if (source === null) throw invalidField('image', 'is neither an http or https URL nor base64')
    return source
  }
  if (url === undefined) {
    const message = 'The product has no picture in its catalogue; give one as `image`.'
    throw new GatewayError('MEDIA_UNAVAILABLE', { message })
  }
  const { body, type } = await ports.media.networkPicture(instance, url)
  return { from: 'base64', data: body.toString('base64'), mimetype: type }
}
