/** The texts of a content that a reader sees. */
import { fillMenu } from './choices/fill.js'
import type { PaymentRequest } from './payment-request.js'
import { placeholdersIn } from './placeholders.js'
import type { ForwardContent, ProductContent, ReactionContent, SendContent, VoteContent } from './send-content.js'

/** A content that may have placeholders. */
export type FillableContent = Exclude<SendContent, ReactionContent | ForwardContent | VoteContent>

/** Passes each text that a reader sees through `fill`. */
export function withTexts<C extends FillableContent>(content: C, fill: (text: string) => string): C {
  if (content.kind === 'menu' || content.kind === 'carousel')
    return { ...content, menu: fillMenu(content.menu, fill) } as C
  if (content.kind === 'pix') return { ...content, key: { ...content.key, name: fill(content.key.name) } } as C
  if (content.kind === 'payment') return { ...content, payment: fillPayment(content.payment, fill) } as C
  if (content.kind === 'contacts')
    return { ...content, cards: content.cards.map((card) => withStrings(card, fill)) } as C
  // Code and name are those of the group.
  if (content.kind === 'groupInvite')
    return content.text === undefined ? content : ({ ...content, text: fill(content.text) } as C)
  // The words of a product are those of its catalogue.
  if (content.kind === 'product') return withFilled(content, fill) as C
  return withStrings(content, fill)
}

function withStrings<T extends object>(value: T, fill: (text: string) => string): T {
  const entries = Object.entries(value).map(([field, part]) => [
    field,
    typeof part === 'string' ? fill(part) : (part as unknown),
  ])
  return Object.fromEntries(entries) as T
}

function withFilled(content: ProductContent, fill: (text: string) => string): ProductContent {
  const { text, footer } = content
  return {
    ...content,
    ...(text === undefined ? {} : { text: fill(text) }),
    ...(footer === undefined ? {} : { footer: fill(footer) }),
  }
}

function fillPayment(payment: PaymentRequest, fill: (text: string) => string): PaymentRequest {
  const { title, text, footer, item, pix } = payment
  const texts = { title: fill(title), text: fill(text), footer: fill(footer), item: fill(item) }
  return { ...payment, ...texts, ...(pix === undefined ? {} : { pix: { ...pix, name: fill(pix.name) } }) }
}

/** Returns the names of all placeholders of a content. */
export function listPlaceholders(content: SendContent): ReadonlySet<string> {
  const names = new Set<string>()
  if (content.kind === 'reaction' || content.kind === 'forward' || content.kind === 'vote') return names
  withTexts(content, (text) => {
    for (const name of placeholdersIn(text)) names.add(name)
    return text
  })
  return names
}

/** Returns the content with another main text, such as one of several variants; undefined leaves it as it is. */
export function withMainText(content: SendContent, text: string | undefined): SendContent {
  if (text === undefined) return content
  switch (content.kind) {
    case 'text':
      return { ...content, text }
    case 'media':
      return { ...content, caption: text }
    case 'menu':
    case 'carousel':
      return { ...content, menu: { ...content.menu, text } }
    default:
      return content
  }
}
