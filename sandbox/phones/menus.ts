/** Menus, as a phone draws them, and what it sends when somebody taps. */
import { proto } from '@whiskeysockets/baileys'
import { announcedMenu } from '../network/menu-nodes.js'
import type { Node } from '../wire/nodes.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { createQuote } from './quote.js'

export interface ShownButton {
  text: string
  /** Effect of a tap. */
  does: 'reply' | 'open' | 'copy' | 'call'
  /** The id of a reply, the address, the code, the number. */
  value: string
}

export interface ShownCard {
  text: string
  image: boolean
  buttons: ShownButton[]
}

export type ShownMenu =
  | { type: 'buttons'; text: string; footer: string; image: boolean; buttons: ShownButton[] }
  | { type: 'list'; text: string; footer: string; button: string; sections: ShownSection[] }
  | { type: 'carousel'; text: string; cards: ShownCard[] }
  | { type: 'payment'; name: string; key: string; keyType: string }
  | { type: 'location'; text: string }
  | ShownOrder

export interface ShownOrder {
  type: 'order'
  title: string
  text: string
  footer: string
  document: boolean
  amount: string
  item: string
  reference: string
  /** Text that a tap on each way to pay copies, or URL that it opens. */
  pix: string
  link: string
  boleto: string
}

export interface ShownSection {
  title: string
  rows: { text: string; description: string; id: string }[]
}

type Interactive = proto.Message.IInteractiveMessage

/** Whether a message is one of those that clients draw only when the stanza says what they are. */
export function isMenu(message: proto.IMessage): boolean {
  const inner = message.viewOnceMessage?.message ?? message
  return Boolean(inner.interactiveMessage ?? inner.listMessage ?? inner.buttonsMessage ?? inner.templateMessage)
}

/** Returns what is drawn of a menu in this stanza; null when nothing is. In a `viewOnceMessage` nothing is (Evolution API 2526). */
export function drawnMenu(message: proto.IMessage, stanza: Node): ShownMenu | null {
  const announced = announcedMenu(stanza)
  if (message.listMessage) return announced === 'list' ? readList(message.listMessage) : null
  const { interactiveMessage: interactive } = message
  if (!interactive) return null
  const [first] = interactive.nativeFlowMessage?.buttons ?? []
  if (first?.name === 'payment_info') return announced === 'payment' ? readPayment(first) : null
  if (first?.name === 'review_and_pay') return announced === 'order' ? readOrder(interactive, first) : null
  if (first?.name === 'send_location')
    return announced === 'location' ? { type: 'location', text: interactive.body?.text ?? '' } : null
  if (announced !== 'native') return null
  const cards = interactive.carouselMessage?.cards
  if (cards) return readCarousel(interactive, cards, message.messageContextInfo)
  const buttons = listButtons(interactive)
  const text = interactive.body?.text ?? ''
  if (buttons.length === 0 || text === '') return null
  return { type: 'buttons', text, footer: interactive.footer?.text ?? '', image: hasImage(interactive), buttons }
}

/** Two to ten cards with a body and one to three buttons each; without the device list iOS shows none (Evolution Go). */
function readCarousel(
  message: Interactive,
  cards: readonly Interactive[],
  info: proto.IMessageContextInfo | null | undefined,
): ShownMenu | null {
  const drawn = cards.map((card) => ({
    text: card.body?.text ?? '',
    image: hasImage(card),
    buttons: listButtons(card),
  }))
  const isDrawn = drawn.every(({ text, buttons }) => text !== '' && buttons.length >= 1 && buttons.length <= 3)
  if (!isDrawn || cards.length < 2 || cards.length > 10 || !info?.deviceListMetadata) return null
  return { type: 'carousel', text: message.body?.text ?? '', cards: drawn }
}

function hasImage({ header }: Interactive): boolean {
  return header?.hasMediaAttachment === true && Boolean(header.imageMessage)
}

function listButtons({ nativeFlowMessage }: Interactive): ShownButton[] {
  return (nativeFlowMessage?.buttons ?? []).flatMap(({ name, buttonParamsJson }): ShownButton[] => {
    const params = JSON.parse(buttonParamsJson ?? '{}') as Record<string, string>
    const text = params.display_text ?? ''
    switch (name) {
      case 'quick_reply':
        return [{ text, does: 'reply', value: params.id ?? '' }]
      case 'cta_url':
        return [{ text, does: 'open', value: params.url ?? '' }]
      case 'cta_copy':
        return [{ text, does: 'copy', value: params.copy_code ?? '' }]
      case 'cta_call':
        return [{ text, does: 'call', value: params.phone_number ?? '' }]
      default:
        return []
    }
  })
}

function readList(list: proto.Message.IListMessage): ShownMenu | null {
  if (list.listType !== proto.Message.ListMessage.ListType.SINGLE_SELECT) return null
  const sections = (list.sections ?? []).map(({ title, rows }) => ({
    title: title ?? '',
    rows: (rows ?? []).map((row) => ({
      text: row.title ?? '',
      description: row.description ?? '',
      id: row.rowId ?? '',
    })),
  }))
  const { description, footerText, buttonText } = list
  return { type: 'list', text: description ?? '', footer: footerText ?? '', button: buttonText ?? '', sections }
}

function readPayment({
  buttonParamsJson,
}: proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton): ShownMenu {
  const params = JSON.parse(buttonParamsJson ?? '{}') as {
    payment_settings?: { pix_static_code?: { merchant_name: string; key: string; key_type: string } }[]
  }
  const pix = params.payment_settings?.[0]?.pix_static_code
  return { type: 'payment', name: pix?.merchant_name ?? '', key: pix?.key ?? '', keyType: pix?.key_type ?? '' }
}

interface Amount {
  value: number
  offset: number
}

function readOrder({ header, body, footer }: Interactive, { buttonParamsJson }: { buttonParamsJson?: string | null }) {
  const params = JSON.parse(buttonParamsJson ?? '{}') as {
    currency?: string
    total_amount?: Amount
    reference_id?: string
    order?: { items?: { name: string; amount: Amount; quantity: number }[] }
    payment_settings?: {
      pix_static_code?: { key: string }
      payment_link?: { uri: string }
      boleto?: { digitable_line: string }
    }[]
  }
  const { total_amount: total, order, payment_settings: ways = [] } = params
  const [item] = order?.items ?? []
  // Without an amount, an item that makes it up, or a way to pay, there is nothing to draw.
  if (!total || !item || item.amount.value * item.quantity !== total.value || ways.length === 0) return null
  const shown: ShownOrder = {
    type: 'order',
    title: header?.title ?? '',
    text: body?.text ?? '',
    footer: footer?.text ?? '',
    document: header?.hasMediaAttachment === true && Boolean(header.documentMessage),
    amount: `${params.currency ?? ''} ${(total.value / total.offset).toFixed(2)}`,
    item: item.name,
    reference: params.reference_id ?? '',
    pix: ways.flatMap((way) => way.pix_static_code?.key ?? [])[0] ?? '',
    link: ways.flatMap((way) => way.payment_link?.uri ?? [])[0] ?? '',
    boleto: ways.flatMap((way) => way.boleto?.digitable_line ?? [])[0] ?? '',
  }
  return shown
}

/** The form in which a client tells which reply button was tapped: native flows, or those of older buttons and templates. */
export type AnswerForm = 'interactive' | 'buttons' | 'template'

export interface Tap {
  /** The text or the id of a button or a row. */
  readonly choice: string
  readonly form?: AnswerForm
}

/** Taps on what a message shows: a reply is sent; what the phone does by itself is answered as that. */
export async function tap(phone: Phone, id: string, { choice, form = 'interactive' }: Tap) {
  const received = phone.inbox.messages.get(id)
  if (!received) throw new PhoneError(404, `No message ${id} was received.`)
  const { menu } = received
  if (menu === null) throw new PhoneError(409, 'The phone shows nothing that could be tapped.')
  const contextInfo = createQuote(phone, id)
  if (menu.type === 'payment') return { copy: menu.key }
  if (menu.type === 'order')
    return choice === 'link' ? { open: menu.link } : { copy: choice === 'boleto' ? menu.boleto : menu.pix }
  if (menu.type === 'location') {
    const locationMessage = { degreesLatitude: -23.55, degreesLongitude: -46.63, contextInfo }
    return { id: await phone.send(received.chat, { locationMessage }) }
  }
  if (menu.type === 'list') {
    const row = menu.sections.flatMap(({ rows }) => rows).find((one) => one.id === choice || one.text === choice)
    if (!row) throw new PhoneError(404, `The list has no row ${choice}.`)
    const { text: title, id: selectedRowId, description } = row
    const listType = proto.Message.ListResponseMessage.ListType.SINGLE_SELECT
    const answer = { title, listType, singleSelectReply: { selectedRowId }, description, contextInfo }
    return { id: await phone.send(received.chat, { listResponseMessage: answer }) }
  }
  const buttons = menu.type === 'buttons' ? menu.buttons : menu.cards.flatMap((card) => card.buttons)
  const button = buttons.find((one) => one.value === choice || one.text === choice)
  if (!button) throw new PhoneError(404, `There is no button ${choice}.`)
  if (button.does !== 'reply') return { [button.does]: button.value }
  return { id: await phone.send(received.chat, createReply(button, form, contextInfo)) }
}

function createReply({ text, value }: ShownButton, form: AnswerForm, contextInfo: proto.IContextInfo): proto.IMessage {
  switch (form) {
    case 'buttons': {
      const type = proto.Message.ButtonsResponseMessage.Type.DISPLAY_TEXT
      return { buttonsResponseMessage: { selectedButtonId: value, selectedDisplayText: text, type, contextInfo } }
    }
    case 'template':
      return { templateButtonReplyMessage: { selectedId: value, selectedDisplayText: text, contextInfo } }
    case 'interactive': {
      const nativeFlowResponseMessage = { name: 'quick_reply', paramsJson: JSON.stringify({ id: value }), version: 1 }
      return { interactiveResponseMessage: { body: { text }, nativeFlowResponseMessage, contextInfo } }
    }
  }
}
