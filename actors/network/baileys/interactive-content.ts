/** Reads interactive messages: their choices, and the answers. Other clients made them, so any field may have any value. */
import type { proto } from '@whiskeysockets/baileys'
import { exceededLimit } from '../../../lib/json-shape.js'

export interface ChoiceAnswer {
  readonly kind: 'button' | 'list'
  /** Id of the choice; empty when the client sent none. */
  readonly id: string
  /** Label of the choice. */
  readonly text: string
  /** Id of the message that was answered. */
  readonly quoted?: string
}

/** Maximum of JSON that is read of one message: a choice has a handful of values. Strangers write it. */
const JSON_MAX_CHARACTERS = 64 * 1024
const JSON_MAX = { depthMax: 16, keysMax: 1_000, valuesMax: 1_000 }
/** Maximum of choices that are read of one message. */
const CHOICES_MAX = 100

/** Returns the choice in an answer to buttons or a list; null when the message has none. Votes of polls: `poll-votes.ts`. */
export function readChoiceAnswer(message: proto.IMessage): ChoiceAnswer | null {
  const { buttonsResponseMessage, templateButtonReplyMessage, listResponseMessage, interactiveResponseMessage } =
    message
  if (buttonsResponseMessage) {
    const { selectedButtonId, selectedDisplayText, contextInfo } = buttonsResponseMessage
    return answer('button', selectedButtonId, selectedDisplayText, contextInfo)
  }
  if (templateButtonReplyMessage) {
    const { selectedId, selectedDisplayText, contextInfo } = templateButtonReplyMessage
    return answer('button', selectedId, selectedDisplayText, contextInfo)
  }
  if (listResponseMessage) {
    const { title, singleSelectReply, contextInfo } = listResponseMessage
    return answer('list', singleSelectReply?.selectedRowId, title, contextInfo)
  }
  if (interactiveResponseMessage) {
    const { body, nativeFlowResponseMessage, contextInfo } = interactiveResponseMessage
    const params = record(nativeFlowResponseMessage?.paramsJson)
    const kind = nativeFlowResponseMessage?.name === 'single_select' ? 'list' : 'button'
    const text = body?.text || toText(params.display_text) || toText(params.title)
    return answer(kind, toText(params.id), text, contextInfo)
  }
  return null
}

/** Returns the labels of a message's choices, in their order; null when it has none. */
export function readChoices(message: proto.IMessage): readonly string[] | null {
  const { buttonsMessage, listMessage, interactiveMessage } = message
  if (buttonsMessage) return labels(buttonsMessage.buttons?.map(({ buttonText }) => buttonText?.displayText))
  if (listMessage) return labels(listMessage.sections?.flatMap(({ rows }) => rows ?? []).map(({ title }) => title))
  if (!interactiveMessage) return null
  const cards = interactiveMessage.carouselMessage?.cards ?? []
  const buttons = [interactiveMessage, ...cards].flatMap(({ nativeFlowMessage }) => nativeFlowMessage?.buttons ?? [])
  return labels(
    buttons.slice(0, CHOICES_MAX).map(({ buttonParamsJson }) => toText(record(buttonParamsJson).display_text)),
  )
}

/** Returns the amount, the name and the key of a payment, as lines; empty when the message has none. */
export function paymentText({ interactiveMessage }: proto.IMessage): string {
  const buttons = interactiveMessage?.nativeFlowMessage?.buttons ?? []
  const payment = buttons.find(({ name }) => name === 'payment_info' || name === 'review_and_pay')
  const params = record(payment?.buttonParamsJson)
  const amount = payment?.name === 'review_and_pay' ? formatAmount(params) : ''
  return [amount, keyText(params.payment_settings)].filter((line) => line !== '').join('\n')
}

/** Returns an amount with its currency, as in `BRL 149.90`. */
function formatAmount({ currency, total_amount: total }: Readonly<Record<string, unknown>>): string {
  const { value, offset } = (total ?? {}) as { value?: unknown; offset?: unknown }
  if (typeof value !== 'number' || typeof offset !== 'number' || !(offset > 0)) return ''
  return `${toText(currency).slice(0, 3)} ${(value / offset).toFixed(2)}`.trim()
}

function keyText(settings: unknown): string {
  for (const setting of Array.isArray(settings) ? (settings as unknown[]) : []) {
    const { merchant_name: name, key } = ((setting as { pix_static_code?: unknown } | null)?.pix_static_code ??
      {}) as Readonly<Record<string, unknown>>
    if (typeof key === 'string') return [toText(name), key].filter((line) => line !== '').join('\n')
  }
  return ''
}

function answer(
  kind: ChoiceAnswer['kind'],
  id: string | null | undefined,
  text: string | null | undefined,
  context: proto.IContextInfo | null | undefined,
): ChoiceAnswer {
  const quoted = context?.stanzaId
  return { kind, id: id ?? '', text: text ?? '', ...(quoted ? { quoted } : {}) }
}

function labels(given: readonly (string | null | undefined)[] | undefined): string[] {
  return (given ?? []).flatMap((label) => label || [])
}

function record(json: string | null | undefined): Readonly<Record<string, unknown>> {
  if (!json || json.length > JSON_MAX_CHARACTERS || exceededLimit(Buffer.from(json), JSON_MAX) !== null) return {}
  try {
    // Bound: 65,536, 1,000 values, checked before.
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
