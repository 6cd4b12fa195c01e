/** Reads buttons, lists and cards out of the content of a message. Strangers wrote it: each value is checked and bounded. */
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { thumbnailOf } from './message-facts.js'

export interface MenuAction {
  readonly text: string
  readonly does: 'reply' | 'open' | 'call' | 'copy'
}

export interface MenuRow {
  readonly title: string
  readonly description: string
}

export interface MenuCard {
  readonly title: string
  readonly text: string
  readonly footer: string
  readonly thumbnail: string | null
  readonly actions: readonly MenuAction[]
}

export interface MenuFacts {
  readonly footer: string
  readonly listButton: string
  readonly actions: readonly MenuAction[]
  readonly sections: readonly { readonly title: string; readonly rows: readonly MenuRow[] }[]
  readonly cards: readonly MenuCard[]
}

type Json = Readonly<Record<string, unknown>>

const ITEMS_MAX = 100
const TEXT_MAX = 1_000
/** What a button of the network's newer kind does, by its name. */
const NATIVE: Readonly<Record<string, MenuAction['does']>> = { cta_url: 'open', cta_call: 'call', cta_copy: 'copy' }

/** Returns what can be tapped in a message; null if nothing can. */
export function menuOf({
  content,
  convertOptions = '',
}: Pick<Message, 'content' | 'convertOptions'>): MenuFacts | null {
  const body = isObject(content) ? content : {}
  const template = part(body, 'hydratedTemplate') ?? part(body, 'hydratedFourRowTemplate') ?? {}
  const native = nativeOf(body)
  const sections = [...listOf(body.sections), ...native.sections].map((one) => ({
    title: text(one.title),
    rows: listOf(one.rows).map((row) => ({ title: text(row.title), description: text(row.description) })),
  }))
  const cards = listOf(part(body, 'carouselMessage')?.cards).map(cardOf)
  const actions = [...oldButtons(body), ...templateButtons(template), ...native.actions]
  const isKnown = actions.length > 0 || sections.length > 0 || cards.length > 0
  if (!isKnown && convertOptions === '') return null
  return {
    footer: text(body.footerText) || text(part(body, 'footer')?.text) || text(template.hydratedFooterText),
    listButton: text(body.buttonText) || native.listButton,
    actions: isKnown ? actions : optionsOf(convertOptions),
    sections,
    cards,
  }
}

function optionsOf(options: string): readonly MenuAction[] {
  return options
    .split('|')
    .slice(0, ITEMS_MAX)
    .map((one) => ({ text: one.slice(0, TEXT_MAX), does: 'reply' }))
}

function oldButtons(body: Json): readonly MenuAction[] {
  return listOf(body.buttons).map((button) => ({ text: text(part(button, 'buttonText')?.displayText), does: 'reply' }))
}

function templateButtons(template: Json): readonly MenuAction[] {
  return listOf(template.hydratedButtons).flatMap((button) => {
    for (const [name, does] of [
      ['quickReplyButton', 'reply'],
      ['urlButton', 'open'],
      ['callButton', 'call'],
    ] as const) {
      const found = part(button, name)
      if (found !== undefined) return [{ text: text(found.displayText), does }]
    }
    return []
  })
}

interface Native {
  readonly actions: readonly MenuAction[]
  readonly sections: readonly Json[]
  readonly listButton: string
}

/** Buttons of the newer kind, whose parameters are JSON. */
function nativeOf(body: Json): Native {
  const actions: MenuAction[] = []
  const sections: Json[] = []
  let listButton = ''
  for (const button of listOf(part(body, 'nativeFlowMessage')?.buttons)) {
    const name = text(button.name)
    const given = jsonOf(button.buttonParamsJson ?? button.buttonParamsJSON)
    if (name === 'single_select') {
      sections.push(...listOf(given.sections))
      listButton = text(given.title)
    } else {
      const shown = text(given.display_text)
      if (shown !== '') actions.push({ text: shown, does: NATIVE[name] ?? 'reply' })
    }
  }
  return { actions, sections, listButton }
}

function cardOf(card: Json): MenuCard {
  const header = part(card, 'header') ?? {}
  const picture = part(header, 'imageMessage') ?? part(header, 'videoMessage') ?? part(header, 'documentMessage')
  return {
    title: text(header.title),
    text: text(part(card, 'body')?.text),
    footer: text(part(card, 'footer')?.text),
    thumbnail: thumbnailOf(picture),
    actions: nativeOf(card).actions,
  }
}

function jsonOf(value: unknown): Json {
  if (typeof value !== 'string' || value.length > 50_000) return {}
  try {
    const read: unknown = JSON.parse(value)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}

function part(value: Json, name: string): Json | undefined {
  const found = value[name]
  return isObject(found) ? found : undefined
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, ITEMS_MAX) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : ''
}
