import { parseCarousel } from '../../../schemas/choices/carousel.js'
import { parseMediaSource } from '../../../schemas/choices/media-source.js'
import type { CardMedia, MediaSource } from '../../../schemas/choices/menu.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  SendCarouselReply,
  SendCarouselRequest,
  SendEventReply,
  SendEventRequest,
  SendForwardReply,
  SendForwardRequest,
  SendGroupInviteReply,
  SendGroupInviteRequest,
  SendLocationButtonReply,
  SendLocationButtonRequest,
  SendProductReply,
  SendProductRequest,
  SendRequestPaymentReply,
  SendRequestPaymentRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress, toChatId } from '../../../schemas/jid.js'
import { parsePaymentRequest } from '../../../schemas/payment-request.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { EventContent, GroupInviteContent, ProductContent, TextContent } from '../../../schemas/send-content.js'
import { readInstant } from '../../../schemas/send-time.js'
import type { ApiPorts } from '../../ports.js'
import { type Context, instanceRoute, type Route } from '../../route.js'
import { readBusiness } from '../business/index.js'
import { groupJid, inviteLink } from '../group/record.js'
import { withSendErrorMessage } from '../message/reduced-record.js'
import { sendAlbum } from './album.js'
import { askSend, askSendAs, messageIdFor } from './ask.js'
import { sendContact } from './contact.js'
import { fileErrors, isAnswered, takeMedia, withFiles } from './files.js'
import { sendLocation } from './location.js'
import { sendMedia } from './media.js'
import { askMenu, sendMenu, sendPixButton } from './menu.js'
import { checkAddresses, sendErrors, sendReply } from './options.js'
import { sendStatus } from './status.js'
import { sendText } from './text.js'

const sendProduct = instanceRoute<SendProductRequest>({
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
    const seller = readBusiness(body.jid || undefined)
    const messageid = messageIdFor(call, ports)
    const found = await ports.router.ask(instance.id, { type: 'showProduct', of: seller, id: body.id })
    const { id, name, description, retailer_id, price, currency, url, image_urls } = found
    const source = await choosePicture(body.image, image_urls[0], instance.id, context)
    const isKnown = await isAnswered(call, context)
    const files = isKnown ? [] : await takeMedia([{ at: 'image', kind: 'image', source }], call, messageid, context)
    const content: ProductContent = {
      kind: 'product',
      product: { id, name, description, retailer_id, price, currency, url, imageCount: Math.max(image_urls.length, 1) },
      seller: seller === null ? `${instance.owner}@s.whatsapp.net` : toChatId(seller),
      ...(body.text ? { text: body.text } : {}),
      ...(body.footer ? { footer: body.footer } : {}),
      files,
    }
    return sendReply(await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports)))
  },
})

/** Returns the caller's picture, or else that of the catalogue. @throws GatewayError INVALID_REQUEST, MEDIA_UNAVAILABLE */
async function choosePicture(
  given: string | undefined,
  url: string | undefined,
  instance: InstanceId,
  { ports }: Context,
): Promise<MediaSource> {
  if (given?.trim()) {
    const source = parseMediaSource(given)
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

const sendGroupInvite = instanceRoute<SendGroupInviteRequest>({
  method: 'POST',
  path: '/send/group-invite',
  name: 'sendGroupInvite',
  area: 'Send',
  scope: 'token',
  summary: 'Send the invitation of a group, for its admins',
  schema: 'send/group-invite.json',
  idempotent: true,
  errors: [...sendErrors, 'NOT_GROUP_ADMIN', 'NETWORK_REFUSED'],
  async handle(call, { ports }): Promise<SendGroupInviteReply> {
    const { instance, body } = call
    checkAddresses(body)
    if (body.code !== undefined || body.expiration !== undefined)
      return sendReply(await askSend(call, await makeCard(call, ports), ports))
    const asked = { type: 'inviteCode', group: groupJid(body.groupjid), isReset: false } as const
    const { inviteCode, group } = await ports.router.ask(instance.id, asked)
    const url = inviteLink(inviteCode)
    const content: TextContent = {
      kind: 'text',
      text: body.text ? `${body.text}\n\n${url}` : url,
      linkPreview: { url, title: group.name || url },
    }
    return sendReply(await askSend(call, content, ports))
  },
})

/** @throws GatewayError INVALID_REQUEST, INVALID_NUMBER, GROUP_NOT_FOUND */
async function makeCard(
  { instance, body }: { readonly instance: Pick<InstanceRow, 'id'>; readonly body: SendGroupInviteRequest },
  { router }: Pick<ApiPorts, 'router'>,
): Promise<GroupInviteContent> {
  const { code, expiration, text } = body
  if (code === undefined) throw invalidField('code', 'is required with expiration')
  if (expiration === undefined) throw invalidField('expiration', 'is required with code')
  if (parseAddress(body.number, 'number').group !== undefined)
    throw invalidField('number', 'must be a person: the code is for one person alone')
  const expiresSeconds = Math.floor(Date.parse(expiration) / 1000)
  const asked = {
    type: 'groupInfo',
    group: groupJid(body.groupjid),
    isFresh: false,
    withInvite: false,
    withRequests: false,
  } as const
  const { group } = await router.ask(instance.id, asked)
  return {
    kind: 'groupInvite',
    ...{ group: group.jid, groupName: group.name, code, expiresSeconds },
    ...(text === undefined || text === '' ? {} : { text }),
  }
}

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
    const media = readDocument(call.body)
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
function readDocument({ fileUrl, fileName }: SendRequestPaymentRequest): readonly CardMedia[] {
  if (!fileUrl?.trim()) return []
  const source = parseMediaSource(fileUrl)
  if (source === null) throw invalidField('fileUrl', 'is neither an http or https URL nor base64')
  return [{ at: 'fileUrl', kind: 'document', source, ...(fileName ? { filename: fileName } : {}) }]
}

export const sendEvent = instanceRoute<SendEventRequest>({
  method: 'POST',
  path: '/send/event',
  name: 'sendEvent',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send an event, which people answer',
  schema: 'send/event.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendEventReply> {
    return sendReply(await askSend(call, makeEventContent(call.body), ports))
  },
})

/** @throws GatewayError INVALID_REQUEST */
function makeEventContent(body: SendEventRequest): EventContent {
  const { name, description, startTime, endTime, placeName, latitude, longitude, extraGuests } = body
  const startMs = readInstant(String(startTime), 'startTime')
  const endMs = endTime === undefined || endTime === '' ? undefined : readInstant(String(endTime), 'endTime')
  if (endMs !== undefined && endMs < startMs) throw invalidField('endTime', 'must not be before startTime')
  if (latitude === undefined && longitude !== undefined) throw invalidField('latitude', 'is required with longitude')
  if (longitude === undefined && latitude !== undefined) throw invalidField('longitude', 'is required with latitude')
  return {
    ...{ kind: 'event', name, startMs },
    ...(description ? { description } : {}),
    ...(endMs === undefined ? {} : { endMs }),
    ...(placeName ? { placeName } : {}),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
    ...(extraGuests === undefined ? {} : { extraGuests }),
  }
}

const FORWARDED: ReadonlySet<unknown> = new Set([
  ...['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contact'],
])

const sendForward = instanceRoute<SendForwardRequest>({
  method: 'POST',
  path: '/send/forward',
  name: 'sendForward',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['id', 'replyid'] },
  summary: 'Forward a stored message to another chat',
  schema: 'send/forward.json',
  idempotent: true,
  errors: [...sendErrors, 'MISSING_ID', 'MESSAGE_NOT_SENT', 'MEDIA_UNAVAILABLE'],
  async handle(call, { ports }): Promise<SendForwardReply> {
    const { id } = call.body
    if (!id) throw new GatewayError('MISSING_ID')
    checkAddresses(call.body)
    const [record] = (await ports.messages.find(call.instance.id, { id, limit: 1, offset: 0 })).messages
    if (record === undefined || record.status === 'deleted') throw new GatewayError('MESSAGE_NOT_FOUND')
    if (!FORWARDED.has(record.messageType)) {
      const message = `Not supported: a message of type ${String(record.messageType)} cannot be forwarded.`
      throw new GatewayError('NOT_SUPPORTED', { message })
    }
    const [messageType, type, mediaType] = [record.messageType, record.type, record.mediaType].map(String)
    const shown = { messageType: messageType ?? '', type: type ?? '', mediaType: mediaType ?? '' }
    const content = { kind: 'forward', id, ...shown, text: String(record.text ?? '') } as const
    return sendReply(await askSend(call, content, ports))
  },
})

const sendCarousel = instanceRoute<SendCarouselRequest>({
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

export const sendLocationButton = instanceRoute<SendLocationButtonRequest>({
  method: 'POST',
  path: '/send/location-button',
  name: 'sendLocationButton',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a button that asks for the location',
  schema: 'send/location-button.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendLocationButtonReply> {
    return sendReply(await askSend(call, { kind: 'locationRequest', text: call.body.text }, ports))
  },
})

/** Routes of the area, in the order of the documentation. */
export const sendRoutes: readonly Route[] = [
  sendText,
  sendContact,
  sendLocation,
  sendMenu,
  sendCarousel,
  sendPixButton,
  sendLocationButton,
  sendRequestPayment,
  sendMedia,
  sendStatus,
  sendEvent,
  sendForward,
  sendGroupInvite,
  sendProduct,
  sendAlbum,
]
