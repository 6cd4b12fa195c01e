import { proto } from '@whiskeysockets/baileys'
import type { OutgoingContent } from '../port/messages.js'
import { composeMediaPart } from './media/parts.js'

export function composeProduct(content: Extract<OutgoingContent, { kind: 'product' }>): proto.Message.IProductMessage {
  const { product, seller, text, footer } = content
  const { id, name, description, retailer_id, price, currency, url, imageCount } = product
  return {
    product: {
      productImage: buildHeaders(content)[0]?.imageMessage ?? null,
      productId: id,
      title: name,
      ...(description === '' ? {} : { description }),
      ...(price === null ? {} : { priceAmount1000: price, currencyCode: currency }),
      ...(retailer_id === '' ? {} : { retailerId: retailer_id }),
      ...(url === '' ? {} : { url }),
      productImageCount: imageCount,
    },
    businessOwnerJid: seller,
    ...(text ? { body: text } : {}),
    ...(footer ? { footer } : {}),
  }
}

export function buildChannelInvite({
  channel,
  name,
  caption,
  expiresMs,
}: Extract<OutgoingContent, { kind: 'channelInvite' }>): proto.Message.INewsletterAdminInviteMessage {
  const inviteExpiration = expiresMs === 0 ? {} : { inviteExpiration: Math.floor(expiresMs / 1000) }
  return { newsletterJid: channel, newsletterName: name, caption, ...inviteExpiration }
}

export function composeGroupInvite(
  content: Extract<OutgoingContent, { kind: 'groupInvite' }>,
): proto.Message.IGroupInviteMessage {
  const { group, groupName, code, expiresSeconds, text } = content
  return {
    groupJid: group,
    groupName,
    inviteCode: code,
    inviteExpiration: expiresSeconds,
    ...(text ? { caption: text } : {}),
    groupType: proto.Message.GroupInviteMessage.GroupType.DEFAULT,
  }
}

export function composeEventCard(content: Extract<OutgoingContent, { kind: 'event' }>): proto.Message.IEventMessage {
  const { name, description, startMs, endMs, placeName, latitude, longitude, extraGuests } = content
  const place =
    latitude === undefined || longitude === undefined ? {} : { degreesLatitude: latitude, degreesLongitude: longitude }
  const hasPlace = placeName !== undefined || latitude !== undefined
  return {
    isCanceled: false,
    name,
    ...(description === undefined ? {} : { description }),
    startTime: Math.floor(startMs / 1000),
    ...(endMs === undefined ? {} : { endTime: Math.floor(endMs / 1000) }),
    ...(hasPlace ? { location: { ...place, ...(placeName === undefined ? {} : { name: placeName }) } } : {}),
    extraGuestsAllowed: extraGuests ?? false,
  }
}

/** Returns the pictures, videos and documents of a menu or a payment, in its order. */
export function buildHeaders({
  files = [],
  uploads,
}: Extract<OutgoingContent, { kind: 'menu' | 'carousel' | 'payment' | 'product' }>) {
  return files.map((file, index) => {
    const uploaded = uploads[index]
    if (uploaded === undefined) throw new Error('A file of the menu was not uploaded to WhatsApp.')
    return composeMediaPart({ ...file, uploaded }, {})
  })
}
