/** Reads buttons, lists and cards out of the content of a message. Strangers wrote it: each value is checked and bounded. */
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { readThumbnail } from './message-facts.js'

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
export function readMenu({
  content,
  convertOptions = '',
}: Pick<Message, 'content' | 'convertOptions'>): MenuFacts | null {
  const body = isObject(content) ? content : {}
  const template = pickPart(body, 'hydratedTemplate') ?? pickPart(body, 'hydratedFourRowTemplate') ?? {}
  const native = readNative(body)
  const sections = [...toList(body.sections), ...native.sections].map((one) => ({
    title: readText(one.title),
    rows: toList(one.rows).map((row) => ({ title: readText(row.title), description: readText(row.description) })),
  }))
  const cards = toList(pickPart(body, 'carouselMessage')?.cards).map(readCard)
  const actions = [...readOldButtons(body), ...readTemplateButtons(template), ...native.actions]
  const isKnown = actions.length > 0 || sections.length > 0 || cards.length > 0
  if (!isKnown && convertOptions === '') return null
  return {
    footer:
      readText(body.footerText) || readText(pickPart(body, 'footer')?.text) || readText(template.hydratedFooterText),
    listButton: readText(body.buttonText) || native.listButton,
    actions: isKnown ? actions : readOptions(convertOptions),
    sections,
    cards,
  }
}

function readOptions(options: string): readonly MenuAction[] {
  return options
    .split('|')
    .slice(0, ITEMS_MAX)
    .map((one) => ({ text: one.slice(0, TEXT_MAX), does: 'reply' }))
}

function readOldButtons(body: Json): readonly MenuAction[] {
  return toList(body.buttons).map((button) => ({
    text: readText(pickPart(button, 'buttonText')?.displayText),
    does: 'reply',
  }))
}

function readTemplateButtons(template: Json): readonly MenuAction[] {
  return toList(template.hydratedButtons).flatMap((button) => {
    for (const [name, does] of [
      ['quickReplyButton', 'reply'],
      ['urlButton', 'open'],
      ['callButton', 'call'],
    ] as const) {
      const found = pickPart(button, name)
      if (found !== undefined) return [{ text: readText(found.displayText), does }]
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
function readNative(body: Json): Native {
  const actions: MenuAction[] = []
  const sections: Json[] = []
  let listButton = ''
  for (const button of toList(pickPart(body, 'nativeFlowMessage')?.buttons)) {
    const name = readText(button.name)
    const given = parseJson(button.buttonParamsJson ?? button.buttonParamsJSON)
    if (name === 'single_select') {
      sections.push(...toList(given.sections))
      listButton = readText(given.title)
    } else {
      const shown = readText(given.display_text)
      if (shown !== '') actions.push({ text: shown, does: NATIVE[name] ?? 'reply' })
    }
  }
  return { actions, sections, listButton }
}

function readCard(card: Json): MenuCard {
  const header = pickPart(card, 'header') ?? {}
  const picture =
    pickPart(header, 'imageMessage') ?? pickPart(header, 'videoMessage') ?? pickPart(header, 'documentMessage')
  return {
    title: readText(header.title),
    text: readText(pickPart(card, 'body')?.text),
    footer: readText(pickPart(card, 'footer')?.text),
    thumbnail: readThumbnail(picture),
    actions: readNative(card).actions,
  }
}

function parseJson(value: unknown): Json {
  if (typeof value !== 'string' || value.length > 50_000) return {}
  try {
    const read: unknown = JSON.parse(value)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}

function pickPart(value: Json, name: string): Json | undefined {
  const found = value[name]
  return isObject(found) ? found : undefined
}

function toList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject).slice(0, ITEMS_MAX) : []
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : ''
}
