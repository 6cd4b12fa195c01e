import { dialableToFill, webAddressToFill } from './button-values.js'
import { checkMenu, Findings } from './limits.js'
import { parseMediaSource } from './media-source.js'
import type { Button, Card, CardMedia } from './menu.js'
import type { ParsedMenu } from './parse.js'

/** The body of `POST /send/carousel`: the same cards as a menu of the type `carousel` makes, said in objects. */
export interface CarouselRequest {
  readonly text: string
  readonly carousel: readonly CardRequest[]
}

interface CardRequest {
  readonly text: string
  readonly image?: string
  readonly video?: string
  readonly document?: string
  /** Of the document. */
  readonly filename?: string
  readonly buttons: readonly ButtonRequest[]
}

interface ButtonRequest {
  /** Value of the button: the id of a reply, the URL, the code or the phone number. */
  readonly id?: string
  readonly text: string
  readonly type: 'REPLY' | 'URL' | 'COPY' | 'CALL'
}

/** @throws GatewayError INVALID_REQUEST with `details: [{ field, why }]` */
export function parseCarousel(request: CarouselRequest): ParsedMenu {
  const findings = new Findings()
  const cards = request.carousel.map((card, index) => toCard(card, `carousel[${index}]`, findings))
  findings.throwIfAny()
  const menu = { type: 'carousel', text: request.text.trim(), cards } as const
  checkMenu(menu, findings, { placeholders: true })
  findings.throwIfAny()
  return { menu, warnings: findings.warnings }
}

function toCard(card: CardRequest, at: string, findings: Findings): Card {
  const media = readMedia(card, at, findings)
  const buttons = card.buttons.map((button, index) => toButton(button, `${at}.buttons[${index}]`, findings))
  return { at, text: card.text.trim(), ...(media === null ? {} : { media }), buttons }
}

function readMedia(card: CardRequest, at: string, findings: Findings): CardMedia | null {
  const given = (['image', 'video', 'document'] as const).filter((kind) => card[kind]?.trim())
  const [kind, second] = given
  if (kind === undefined) return null
  if (second !== undefined) findings.problem(`${at}.${second}`, `stands beside ${kind}: a card shows one of them`)
  const source = parseMediaSource(card[kind] ?? '')
  if (source === null) {
    findings.problem(`${at}.${kind}`, 'is neither an http or https URL nor base64')
    return null
  }
  const filename = kind === 'document' ? card.filename?.trim() : undefined
  return { at: `${at}.${kind}`, kind, source, ...(filename ? { filename } : {}) }
}

function toButton(button: ButtonRequest, at: string, findings: Findings): Button {
  const text = button.text.trim()
  const value = button.id?.trim() ?? ''
  switch (button.type) {
    case 'REPLY':
      return { at, text, kind: 'reply', id: value || text }
    case 'COPY':
      if (value === '') findings.problem(`${at}.id`, 'has no code to copy')
      return { at, text, kind: 'copy', code: value }
    case 'CALL': {
      const phone = dialableToFill(value)
      if (phone === null) findings.problem(`${at}.id`, 'is not a phone number (3 to 20 digits)')
      return { at, text, kind: 'call', phone: phone ?? '' }
    }
    case 'URL': {
      const url = webAddressToFill(value)
      if (url === null) findings.problem(`${at}.id`, 'is not a valid URL (http, https or mailto)')
      return { at, text, kind: 'url', url: url ?? '' }
    }
    default:
      return button.type satisfies never
  }
}
