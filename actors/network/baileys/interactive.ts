/**
 * Composes menus, payment buttons and buttons for a location: the message, and the nodes beside it in the stanza. Without these nodes the server accepts the message,
 * but no client shows it. This file has all knowledge about them, so that a change of the network touches one file.
 *
 * Messages are not wrapped: WhatsApp Web drops the buttons of a `viewOnceMessage`, which older programs send (pull request 2526 of Evolution
 * API). Not yet tested against WhatsApp.
 */
import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import { randomBuffer, randomHex } from '../../../lib/random.js'
import { listMenuMedia } from '../../../schemas/choices/media-source.js'
import type { Button, CarouselMenu, ListMenu, Menu, PollMenu } from '../../../schemas/choices/menu.js'
import type { PaymentRequest, PixKey } from '../../../schemas/payment-request.js'

type InteractiveMessage = proto.Message.IInteractiveMessage
type NativeFlowButton = proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton

/** An uploaded picture, video or document, as the header of a message. */
export type UploadedHeader = Pick<
  proto.Message.InteractiveMessage.IHeader,
  'imageMessage' | 'videoMessage' | 'documentMessage'
>

export interface ComposeOptions {
  /** Files in the order of `listMenuMedia`. */
  readonly media?: readonly UploadedHeader[]
  readonly contextInfo?: proto.IContextInfo | null
  /** Set for the announcement group of a community, where polls have another version. */
  readonly toAnnouncementGroup?: boolean
}

/** Composes a menu. @throws Error when media are missing or too many */
export function composeMenu(menu: Menu, options: ComposeOptions = {}): proto.IMessage {
  const { media = [], contextInfo } = options
  const wanted = listMenuMedia(menu).length
  if (media.length !== wanted) throw new Error(`A menu with ${wanted} media was given ${media.length}.`)
  const context = contextInfo ? { contextInfo } : {}
  switch (menu.type) {
    case 'button':
      return withSecret({
        interactiveMessage: {
          ...frame(menu.text, media[0]),
          ...(menu.footer === undefined ? {} : { footer: { text: menu.footer } }),
          nativeFlowMessage: nativeFlow(menu.buttons.map(nativeButton)),
          ...context,
        },
      })
    case 'list':
      return withSecret({ listMessage: { ...composeList(menu), ...context } })
    case 'poll':
      return withSecret(composePoll(menu, context, options.toAnnouncementGroup ?? false))
    case 'carousel':
      return composeCarousel(menu, media, context)
    default:
      return menu satisfies never
  }
}

/**
 * Composes a button that shows a Pix key, to be copied. The form is that of Evolution API 2.3 and 2.4 and Evolution Go. Not every account
 * may send it.
 */
export function composePixButton(pix: PixKey, contextInfo?: proto.IContextInfo | null): proto.IMessage {
  const params = composeOrder({ cents: 0, item: '', quantity: 0, reference: '', ways: [pixSetting(pix)] })
  return withSecret({
    interactiveMessage: {
      nativeFlowMessage: nativeFlow([{ name: 'payment_info', buttonParamsJson: JSON.stringify(params) }]),
      ...(contextInfo ? { contextInfo } : {}),
    },
  })
}

/** Composes a button that asks for the location. The person answers with a location. */
export function composeLocationButton(text: string, contextInfo?: proto.IContextInfo | null): proto.IMessage {
  return withSecret({
    interactiveMessage: {
      ...frame(text, undefined),
      nativeFlowMessage: nativeFlow([flowButton('send_location', {})]),
      ...(contextInfo ? { contextInfo } : {}),
    },
  })
}

/**
 * Composes a request for a payment. The ways to pay have the form that Meta documents for payments in Brazil (`order_details`), the message
 * that of zapo and itsliaaa/baileys. Not every account may send it.
 */
export function composePaymentRequest(
  payment: PaymentRequest,
  document?: UploadedHeader,
  contextInfo?: proto.IContextInfo | null,
): proto.IMessage {
  const { amountCents: cents, title, text, footer, item, reference, pix, link, boleto } = payment
  const ways = [
    ...(pix === undefined ? [] : [pixSetting(pix)]),
    ...(link === undefined ? [] : [{ type: 'payment_link', payment_link: { uri: link } }]),
    ...(boleto === undefined ? [] : [{ type: 'boleto', boleto: { digitable_line: boleto } }]),
  ]
  const params = composeOrder({ cents, item, quantity: 1, reference, ways })
  const { header, body } = frame(text, document)
  return withSecret({
    interactiveMessage: {
      header: { ...header, title },
      body: body ?? null,
      ...(footer === '' ? {} : { footer: { text: footer } }),
      nativeFlowMessage: nativeFlow([{ name: 'review_and_pay', buttonParamsJson: JSON.stringify(params) }]),
      ...(contextInfo ? { contextInfo } : {}),
    },
  })
}

interface Order {
  readonly cents: number
  readonly item: string
  readonly quantity: number
  /** Empty: one is made. */
  readonly reference: string
  readonly ways: readonly object[]
}

function composeOrder({ cents, item: name, quantity, reference, ways }: Order) {
  const amount = { value: cents, offset: 100 }
  return {
    currency: 'BRL',
    total_amount: amount,
    reference_id: reference || randomHex(8).slice(0, 11).toUpperCase(),
    type: 'physical-goods',
    order: {
      status: 'pending',
      subtotal: amount,
      order_type: 'ORDER',
      items: [{ name, amount, quantity, sale_amount: amount }],
    },
    payment_settings: ways,
    share_payment_status: false,
  }
}

function pixSetting({ name, key, type }: PixKey) {
  return { type: 'pix_static_code', pix_static_code: { merchant_name: name, key, key_type: type } }
}

/**
 * Returns the nodes to send beside a message. Depends on the message alone, so that a stored message gets the same nodes when it is relayed
 * again.
 */
export function extraNodes(message: proto.IMessage, nowMs = Date.now()): BinaryNode[] {
  if (message.pollCreationMessage || message.pollCreationMessageV2 || message.pollCreationMessageV3) {
    // Baileys adds this node in `sendMessage`, but not in `relayMessage`, which we use.
    return [{ tag: 'meta', attrs: { polltype: 'creation' } }]
  }
  if (message.pollUpdateMessage) return [{ tag: 'meta', attrs: { polltype: 'vote' } }]
  if (message.eventMessage) return [{ tag: 'meta', attrs: { event_type: 'creation' } }]
  // This type is right although `listType` is SINGLE_SELECT (Evolution API 2.4, itsliaaa/baileys `generic-utils`).
  if (message.listMessage) return [biz(nowMs, { tag: 'list', attrs: { v: '2', type: 'product_list' } })]
  const interactive = message.interactiveMessage
  if (!interactive) return []
  const names = (interactive.nativeFlowMessage?.buttons ?? []).map(({ name }) => name)
  // The app's own stanza, as several projects recorded it. With the attributes of other menus phones do not draw the payment, and with the
  // name `order_details` the server refuses it (473). A request for a payment has that name, and accounts that may not send one get 473.
  const payment = names.includes('payment_info')
    ? 'payment_info'
    : names.includes('review_and_pay')
      ? 'order_details'
      : null
  if (payment !== null) return [{ tag: 'biz', attrs: {}, content: [nativeFlowNode({ name: payment })] }]
  // itsliaaa/baileys `generic-utils`.
  if (names.includes('send_location')) return [biz(nowMs, nativeFlowNode({ v: '2', name: 'send_location' }))]
  return [biz(nowMs, nativeFlowNode({ v: '9', name: 'mixed' }))]
}

/**
 * Makes the `biz` node, as measured in pull request 1235 of tulir/whatsmeow. Without `biz` the message is accepted and never shown. With
 * `buttons` in it the server answers 405, with a bare `interactive` 479. With this node clients show it, and taps are answered.
 */
function biz(nowMs: number, kind: BinaryNode): BinaryNode {
  return {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(Math.floor(nowMs / 1000)) },
    content: [
      kind,
      {
        tag: 'quality_control',
        attrs: { decision_id: randomHex(20), source_type: 'third_party' },
        content: [{ tag: 'decision_source', attrs: { value: 'df' } }],
      },
    ],
  }
}

function nativeFlowNode(attrs: BinaryNode['attrs']): BinaryNode {
  return { tag: 'interactive', attrs: { type: 'native_flow', v: '1' }, content: [{ tag: 'native_flow', attrs }] }
}

/** Adds the secret from which votes, later edits and reporting tokens derive their keys. */
function withSecret(message: proto.IMessage, info: proto.IMessageContextInfo = {}): proto.IMessage {
  return { ...message, messageContextInfo: { ...info, messageSecret: randomBuffer(32) } }
}

function frame(text: string, media: UploadedHeader | undefined): InteractiveMessage {
  const header = media === undefined ? { hasMediaAttachment: false } : { hasMediaAttachment: true, ...media }
  return { header: { title: '', ...header }, body: { text } }
}

function nativeFlow(buttons: NativeFlowButton[]): proto.Message.InteractiveMessage.INativeFlowMessage {
  return { buttons, messageParamsJson: '{}', messageVersion: 1 }
}

function nativeButton(button: Button): NativeFlowButton {
  const display_text = button.text
  switch (button.kind) {
    case 'reply':
      return flowButton('quick_reply', { display_text, id: button.id })
    case 'copy':
      return flowButton('cta_copy', { display_text, copy_code: button.code })
    case 'call':
      return flowButton('cta_call', { display_text, phone_number: button.phone })
    case 'url':
      return flowButton('cta_url', { display_text, url: button.url, merchant_url: button.url })
    default:
      return button satisfies never
  }
}

function flowButton(name: string, params: Readonly<Record<string, string>>): NativeFlowButton {
  return { name, buttonParamsJson: JSON.stringify(params) }
}

/** Composes a list in the older form, which all clients show. The newer one (`single_select`) is empty on WhatsApp Web (Evolution API 2.4). */
function composeList(menu: ListMenu): proto.Message.IListMessage {
  return {
    description: menu.text,
    buttonText: menu.opener,
    ...(menu.footer === undefined ? {} : { footerText: menu.footer }),
    listType: proto.Message.ListMessage.ListType.SINGLE_SELECT,
    sections: menu.sections.map(({ title, rows }) => ({
      title,
      rows: rows.map(({ text, id, description }) => ({
        title: text,
        rowId: id,
        ...(description === undefined ? {} : { description }),
      })),
    })),
  }
}

/** Composes a poll. Its version depends on the number of possible votes, as in Baileys `generateWAMessageContent`. */
function composePoll(menu: PollMenu, context: ContextPart, toAnnouncementGroup: boolean): proto.IMessage {
  const poll: proto.Message.IPollCreationMessage = {
    name: menu.text,
    options: menu.options.map(({ text }) => ({ optionName: text })),
    selectableOptionsCount: menu.selectableCount,
    ...context,
  }
  if (toAnnouncementGroup) return { pollCreationMessageV2: poll }
  return menu.selectableCount === 1 ? { pollCreationMessageV3: poll } : { pollCreationMessage: poll }
}

interface ContextPart {
  readonly contextInfo?: proto.IContextInfo
}

/**
 * Composes a carousel. A single card becomes buttons, because a carousel has at least two cards (Meta's reference). Has an empty device
 * list, because iOS shows no carousel without one (Evolution Go `send_service.go`).
 */
function composeCarousel(menu: CarouselMenu, media: readonly UploadedHeader[], context: ContextPart): proto.IMessage {
  const left = [...media]
  const cards = menu.cards.map(
    (card): InteractiveMessage => ({
      ...frame(card.text, card.media === undefined ? undefined : left.shift()),
      nativeFlowMessage: nativeFlow(card.buttons.map(nativeButton)),
    }),
  )
  const [card] = cards
  if (cards.length === 1 && card !== undefined) {
    const text = `${menu.text}\n\n${card.body?.text ?? ''}`
    return withSecret({ interactiveMessage: { ...card, body: { text }, ...context } })
  }
  const interactiveMessage: InteractiveMessage = {
    ...frame(menu.text, undefined),
    carouselMessage: {
      cards,
      messageVersion: 1,
      carouselCardType: proto.Message.InteractiveMessage.CarouselMessage.CarouselCardType.HSCROLL_CARDS,
    },
    ...context,
  }
  return withSecret({ interactiveMessage }, { deviceListMetadata: {}, deviceListMetadataVersion: 2 })
}
