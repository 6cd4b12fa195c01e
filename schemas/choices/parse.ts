/**
 * The choices of `POST /send/menu`: short strings whose meaning depends on the type of the menu. `docs/reference/choices.md` shows them; `scan.ts`
 * has the grammar.
 *
 * Another type with the same choices is another menu with the same labels and ids: what the new type has no place for (a section's title
 * in buttons, a description in a poll) is left out with a warning and never an error.
 */
import { dialableToFill, webAddressToFill } from './button-values.js'
import { DEFAULT_LIST_BUTTON } from './fill.js'
import { checkMenu, Findings } from './limits.js'
import { parseMediaSource } from './media-source.js'
import type { Button, Card, CardMedia, ListRow, MediaSource, Menu, MenuType, Option, Section } from './menu.js'

export interface MenuRequest {
  readonly type: MenuType
  readonly text: string
  readonly choices: readonly string[]
  readonly footerText?: string
  readonly listButton?: string
  readonly selectableCount?: number
  readonly imageButton?: string
}

export interface ParsedMenu {
  readonly menu: Menu
  /** Sentences for the caller: what was left out, and what will look different from what one may expect. */
  readonly warnings: readonly string[]
}

/**
 * Placeholders are still in the texts; `fillMenu` fills them.
 * @throws GatewayError INVALID_REQUEST with `details: [{ field, why }]`
 */
export function parseMenu(request: MenuRequest): ParsedMenu {
  const findings = new Findings()
  const menu = buildMenu(request, findings)
  warnOfUnusedFields(request, findings)
  findings.throwIfAny()
  checkMenu(menu, findings, { placeholders: true })
  findings.throwIfAny()
  return { menu, warnings: findings.warnings }
}

function buildMenu(request: MenuRequest, findings: Findings): Menu {
  const { type, choices } = request
  const text = request.text.trim()
  const footer = request.footerText?.trim()
  const withFooter = footer ? { footer } : {}
  const places = choices.map((choice, index): Place => ({ at: `choices[${index}]`, scanned: scanChoice(choice) }))
  switch (type) {
    case 'button': {
      const image = readImage(request.imageButton, 'imageButton', findings)
      const buttons = listEntries(places, findings).map((entry) => toButton(entry, findings))
      return { type, text, ...withFooter, ...(image === null ? {} : { image }), buttons }
    }
    case 'list':
      return {
        type,
        text,
        ...withFooter,
        opener: request.listButton?.trim() || DEFAULT_LIST_BUTTON,
        sections: buildSections(places, findings),
      }
    case 'poll': {
      const options = listEntries(places, findings).map((entry) => toOption(entry, findings))
      return { type, text, options, selectableCount: request.selectableCount ?? 1 }
    }
    case 'carousel':
      return { type, text, cards: buildCards(places, findings) }
    default:
      return type satisfies never
  }
}

interface Place {
  readonly at: string
  readonly scanned: Scanned
}

interface Entry {
  readonly at: string
  readonly choice: Fields
}

/** The choices that are neither titles nor images: in buttons and polls those have no place. */
function listEntries(places: readonly Place[], findings: Findings): Entry[] {
  return places.flatMap(({ at, scanned }) => {
    if (scanned.kind === 'fields') return [{ at, choice: scanned }]
    if (scanned.kind === 'title') {
      findings.warn('Titles in brackets are shown in lists and carousels only and were left out', at)
      return []
    }
    return withoutImage(at, scanned, findings)
  })
}

/** Outside of a carousel braces around anything but an image are text, as in a poll option `{a, b}`. */
function withoutImage(at: string, scanned: Scanned & { kind: 'image' }, findings: Findings): Entry[] {
  if (parseMediaSource(scanned.text) === null) return [{ at, choice: scanned.raw }]
  findings.warn('Images in braces are shown in carousels only and were left out', at)
  return []
}

function buildSections(places: readonly Place[], findings: Findings): Section[] {
  const sections: { title: string; at: string; rows: ListRow[] }[] = []
  for (const { at, scanned } of places) {
    if (scanned.kind === 'title') {
      sections.push({ title: scanned.text, at, rows: [] })
      continue
    }
    const [entry] = scanned.kind === 'image' ? withoutImage(at, scanned, findings) : [{ at, choice: scanned }]
    if (entry === undefined) continue
    if (sections.length === 0) sections.push({ title: '', at, rows: [] })
    sections.at(-1)?.rows.push(toRow(entry, findings))
  }
  for (const { at } of sections.filter(({ rows }) => rows.length === 0))
    findings.warn('Sections without items were left out', at)
  return sections.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => ({ title, rows }))
}

function toRow({ at, choice }: Entry, findings: Findings): ListRow {
  const [text = '', id = '', description = '', ...more] = choice.fields
  if (more.some((field) => field !== ''))
    findings.warn('An item of a list has no more than a text, an id and a description: what follows was left out', at)
  if (parseAction(choice) !== null)
    findings.warn('A list has no copy, call or url buttons: what follows the text became the id of a plain item', at)
  return { at, text, id: id || text, ...(description === '' ? {} : { description }) }
}

function toOption({ at, choice }: Entry, findings: Findings): Option {
  const [text = '', ...more] = choice.fields
  if (more.some((field) => field !== ''))
    findings.warn('A poll option is a text alone: what follows it was left out', at)
  return { at, text }
}

function toButton({ at, choice }: Entry, findings: Findings): Button {
  const [text = '', id = ''] = choice.fields
  const action = parseAction(choice)
  if (action?.kind !== 'copy' && choice.fields.slice(2).some((field) => field !== ''))
    findings.warn('A button has no description: the third field was left out', at)
  switch (action?.kind) {
    case undefined:
      return { at, text, kind: 'reply', id: id || text }
    case 'copy':
      if (action.value === '') findings.problem(at, 'has no code after copy:')
      return { at, text, kind: 'copy', code: action.value }
    case 'call': {
      const phone = dialableToFill(action.value)
      if (phone === null) findings.problem(at, 'has no phone number after call: (3 to 20 digits)')
      return { at, text, kind: 'call', phone: phone ?? '' }
    }
    case 'url': {
      const url = webAddressToFill(action.value)
      if (url === null) findings.problem(at, 'has no valid URL (http, https or mailto)')
      return { at, text, kind: 'url', url: url ?? '' }
    }
  }
}

interface Action {
  readonly kind: 'copy' | 'call' | 'url'
  readonly value: string
}

/** Returns the action of a button; null for a reply. */
function parseAction({ fields, rest }: Fields): Action | null {
  const second = fields[1] ?? ''
  // Bound: 1,048,576, a field of a request.
  const [, prefix, value = ''] = /^(copy|call|url):(.*)$/is.exec(second) ?? []
  switch (prefix?.toLowerCase()) {
    case 'copy':
      // The whole rest: a payment code that lost its end would be paid by nobody, or by someone else.
      return { kind: 'copy', value: rest.slice('copy:'.length).trim() }
    case 'call':
      return { kind: 'call', value: value.trim() }
    case 'url':
      return { kind: 'url', value: value.trim() }
    default:
      // Bound: 1,048,576, a field of a request.
      return /^(https?:\/\/|www\.[^\s.]+\.|mailto:)/i.test(second) ? { kind: 'url', value: second } : null
  }
}

function buildCards(places: readonly Place[], findings: Findings): Card[] {
  const cards: { at: string; text: string; media?: CardMedia; buttons: Button[] }[] = []
  for (const { at, scanned } of places) {
    if (scanned.kind === 'title') {
      cards.push({ at, text: scanned.text, buttons: [] })
      continue
    }
    const card = cards.at(-1)
    if (card === undefined) {
      findings.problem(at, 'stands before the first card: a carousel begins with [text of a card]')
      return []
    }
    if (scanned.kind === 'image') {
      if (card.media !== undefined) findings.problem(at, 'is the second image of its card')
      const source = readImage(scanned.text, at, findings)
      if (source !== null) card.media = { at, kind: 'image', source }
      continue
    }
    card.buttons.push(toButton({ at, choice: scanned }, findings))
  }
  return cards
}

function readImage(input: string | undefined, at: string, findings: Findings): MediaSource | null {
  if (input === undefined || (at === 'imageButton' && input.trim() === '')) return null
  const source = parseMediaSource(input)
  if (source === null) findings.problem(at, 'is neither an http or https URL nor base64')
  return source
}

/** Fields that belong to another type, as after a migration. */
function warnOfUnusedFields(request: MenuRequest, findings: Findings): void {
  const { type, footerText, listButton, selectableCount, imageButton } = request
  const ignored = (field: string, place: string): void => findings.warn(`${field} is for ${place} and was ignored`)
  if (footerText?.trim() && type !== 'button' && type !== 'list') ignored('footerText', 'buttons and lists')
  if (listButton?.trim() && type !== 'list') ignored('listButton', 'lists')
  if (selectableCount !== undefined && type !== 'poll') ignored('selectableCount', 'polls')
  if (imageButton?.trim() && type !== 'button') ignored('imageButton', 'buttons')
}

/**
 * One choice string, taken apart. What its parts mean is decided above.
 *
 *     choice     = title | image | fields        white space around a choice and around each field does not count
 *     title      = "[" text "]"                  the bracket that closes the first one must end the choice
 *     image      = "{" text "}"                  but not "{{", which begins a placeholder
 *     fields     = field *( separator field )
 *     separator  = "|" | line break
 *     escape     = "\" ( "\" | "|" | "[" | "]" | "{" | "}" | line break )      stands for its second character
 *
 * A backslash before anything else stands for itself. Inside a title and an image separators are text.
 */

type Scanned =
  | { readonly kind: 'title'; readonly text: string }
  /** `raw` is the choice as fields, for types in which an image has no place. */
  | { readonly kind: 'image'; readonly text: string; readonly raw: Fields }
  | Fields

interface Fields {
  readonly kind: 'fields'
  /** At least one; any may be empty. */
  readonly fields: readonly string[]
  /** All after the first separator as one text, for values that must not be cut; empty when there is none. */
  readonly rest: string
}

function scanChoice(choice: string): Scanned {
  const text = choice.trim()
  if (text.startsWith('[') && closingBracket(text) === text.length - 1)
    return { kind: 'title', text: unescaped(text.slice(1, -1)).trim() }
  if (text.startsWith('{') && !text.startsWith('{{') && text.endsWith('}') && !text.endsWith('\\}'))
    return { kind: 'image', text: text.slice(1, -1).trim(), raw: splitFields(text) }
  return splitFields(text)
}

function splitFields(text: string): Fields {
  const fields: string[] = []
  let start = 0
  let restStart = text.length
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string
    if (character === '\\') index += text.startsWith('\r\n', index + 1) ? 2 : 1
    else if (isSeparator(character)) {
      fields.push(unescaped(text.slice(start, index)).trim())
      // Windows writes a line break as two characters.
      if (character === '\r' && text[index + 1] === '\n') index += 1
      start = index + 1
      if (fields.length === 1) restStart = start
    }
  }
  fields.push(unescaped(text.slice(start)).trim())
  return { kind: 'fields', fields, rest: unescaped(text.slice(restStart)).trim() }
}

function isSeparator(character: string): boolean {
  return character === '|' || character === '\n' || character === '\r'
}

/** The place of the bracket that closes the first one; -1 when none does. */
function closingBracket(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\\') index += 1
    else if (character === '[') depth += 1
    else if (character === ']') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return -1
}

function unescaped(text: string): string {
  // Bound: 1,048,576, a field of a request.
  return text.replace(/\\(\r\n|[\\|[\]{}\r\n])/g, '$1')
}
