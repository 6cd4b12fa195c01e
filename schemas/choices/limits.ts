/**
 * Limits of a menu at the network. Beyond some limits a message is not shown or cannot be answered: an error. Beyond others a client cuts the
 * text: a warning, because nobody checks those lengths on the way (the server cannot read them).
 *
 * Sources: Meta's reference of interactive messages (list: 20, 24, 24, 72, 4096 characters, 10 rows, 10 sections; reply buttons: 3 of 20
 * characters, ids of 256, a body of 1024; footer 60; media carousel: 2 to 10 cards, a body of 160); WhatsApp's help on polls (12 options
 * of 100 characters, a question of 255); 1 to 3 buttons a card: Evolution API 2.4 `interactiveMessage.helper.ts`; 10 buttons: Meta's
 * reference of templates.
 */

import { GatewayError } from '../errors.js'
import type { Button, ButtonMenu, CarouselMenu, ListMenu, Menu, PollMenu } from './menu.js'

export const choiceLimits = {
  /** Ours: a label, a code or an address that is longer than the longest body can only be a mistake. */
  label: 4096,
  buttons: 10,
  replyButtonsShown: 3,
  buttonText: 20,
  idLength: 256,
  buttonBody: 1024,
  footer: 60,
  listBody: 4096,
  listOpener: 20,
  sections: 10,
  sectionTitle: 24,
  rowsShown: 10,
  rowText: 24,
  rowDescription: 72,
  pollQuestion: 255,
  pollOptionsMin: 2,
  pollOptions: 12,
  pollOption: 100,
  cards: 10,
  cardBody: 160,
  cardButtons: 3,
} as const

type Measure = (text: string) => number

/**
 * Holds a menu against the limits. With `placeholders` they count as nothing, since what they will be is not known; without, texts count
 * as they are: for a menu whose placeholders are filled.
 */
export function checkMenu(menu: Menu, findings: Findings, { placeholders }: { placeholders: boolean }): void {
  // Bound: 1,048,576, a field of a request.
  const measure: Measure = (text) => characters(placeholders ? text.replace(/\{\{[^{}]{1,64}\}\}/g, '') : text)
  needText(menu.text, 'text', findings)
  if (menu.type === 'button') checkButtons(menu, findings, measure)
  else if (menu.type === 'list') checkList(menu, findings, measure)
  else if (menu.type === 'poll') checkPoll(menu, findings, measure)
  else checkCarousel(menu, findings, measure)
}

/**
 * For a menu whose placeholders have been filled.
 * @returns warnings
 * @throws GatewayError INVALID_REQUEST
 */
export function checkFilledMenu(menu: Menu): readonly string[] {
  const findings = new Findings()
  checkMenu(menu, findings, { placeholders: false })
  findings.throwIfAny()
  return findings.warnings
}

function checkButtons(menu: ButtonMenu, findings: Findings, measure: Measure): void {
  const { buttons } = menu
  if (buttons.length === 0) findings.problem('choices', 'has no button')
  for (const { at } of buttons.slice(choiceLimits.buttons))
    findings.problem(at, `is more than ${choiceLimits.buttons} buttons`)
  checkEachButton(buttons, findings, measure)
  if (buttons.filter(({ kind }) => kind === 'reply').length > choiceLimits.replyButtonsShown)
    findings.warn(`Some clients show no more than ${choiceLimits.replyButtonsShown} reply buttons`)
  checkLength(menu.text, choiceLimits.buttonBody, 'the text of buttons', 'text', findings, measure)
  checkLength(menu.footer ?? '', choiceLimits.footer, 'a footer', 'footerText', findings, measure)
}

function checkList(menu: ListMenu, findings: Findings, measure: Measure): void {
  const { sections } = menu
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length === 0) findings.problem('choices', 'has no item')
  if (sections.length > choiceLimits.sections)
    findings.problem(
      sections[choiceLimits.sections]?.rows[0]?.at ?? 'choices',
      `is in the section after the ${choiceLimits.sections} that a list may have`,
    )
  if (rows.length > choiceLimits.rowsShown)
    findings.warn(`Some clients show no more than ${choiceLimits.rowsShown} items of a list`)
  for (const { title, rows: inside } of sections)
    checkLength(
      title,
      choiceLimits.sectionTitle,
      'the title of a section',
      inside[0]?.at ?? 'choices',
      findings,
      measure,
    )
  for (const { at, text, id, description = '' } of rows) {
    needText(text, at, findings)
    checkId(id, at, findings, measure)
    checkLength(text, choiceLimits.rowText, 'the text of an item', at, findings, measure)
    checkLength(description, choiceLimits.rowDescription, 'the description of an item', at, findings, measure)
  }
  warnOfDoubleIds(rows, findings)
  checkLength(menu.text, choiceLimits.listBody, 'the text of a list', 'text', findings, measure)
  checkLength(menu.opener, choiceLimits.listOpener, 'the button of a list', 'listButton', findings, measure)
  checkLength(menu.footer ?? '', choiceLimits.footer, 'a footer', 'footerText', findings, measure)
}

function checkPoll(menu: PollMenu, findings: Findings, measure: Measure): void {
  const { options, selectableCount } = menu
  if (measure(menu.text) > choiceLimits.pollQuestion)
    findings.problem('text', `is longer than the ${choiceLimits.pollQuestion} characters of a poll's question`)
  if (options.length < choiceLimits.pollOptionsMin)
    findings.problem('choices', `has fewer than ${choiceLimits.pollOptionsMin} options`)
  for (const { at } of options.slice(choiceLimits.pollOptions))
    findings.problem(at, `is more than ${choiceLimits.pollOptions} options`)
  for (const { at, text } of options) {
    needText(text, at, findings)
    if (measure(text) > choiceLimits.pollOption)
      findings.problem(at, `is longer than the ${choiceLimits.pollOption} characters of a poll's option`)
  }
  // A vote names its options by their hash: two of the same text are one.
  const seen = new Map<string, string>()
  for (const { at, text } of options) {
    const first = seen.get(text)
    if (first === undefined) seen.set(text, at)
    else findings.problem(at, `is the same option as ${first}`)
  }
  if (selectableCount > Math.max(options.length, choiceLimits.pollOptionsMin))
    findings.problem('selectableCount', `must be 0 (any number) to ${options.length}, the number of options`)
}

function checkCarousel(menu: CarouselMenu, findings: Findings, measure: Measure): void {
  const { cards } = menu
  if (cards.length === 0) findings.problem('choices', 'has no card')
  for (const { at } of cards.slice(choiceLimits.cards)) findings.problem(at, `is more than ${choiceLimits.cards} cards`)
  if (cards.length === 1) findings.warn('A carousel has at least two cards: one alone is sent as buttons')
  for (const { at, text, media, buttons } of cards) {
    needText(text, at, findings)
    if (buttons.length === 0) findings.problem(at, 'is a card without a button')
    for (const button of buttons.slice(choiceLimits.cardButtons))
      findings.problem(button.at, `is more than ${choiceLimits.cardButtons} buttons on a card`)
    if (media === undefined) findings.warn('Some clients do not show a card without an image', at)
    checkLength(text, choiceLimits.cardBody, 'the text of a card', at, findings, measure)
  }
  checkEachButton(
    cards.flatMap(({ buttons }) => buttons),
    findings,
    measure,
  )
  checkLength(menu.text, choiceLimits.buttonBody, 'the text of a carousel', 'text', findings, measure)
}

function checkEachButton(buttons: readonly Button[], findings: Findings, measure: Measure): void {
  const replies = buttons.filter((button) => button.kind === 'reply')
  for (const { at, id } of replies) checkId(id, at, findings, measure)
  for (const button of buttons) {
    needText(button.text, button.at, findings)
    checkLength(button.text, choiceLimits.buttonText, 'a button', button.at, findings, measure)
    checkAction(button, findings, measure)
  }
  warnOfDoubleIds(replies, findings)
  if (replies.length > 0 && replies.length < buttons.length)
    findings.warn(
      'Reply buttons stand beside call, url or copy buttons: the web client shows a notice that the message can only be viewed on the phone',
    )
}

/** Checks the value of a button, which may be empty once its placeholders are filled. */
function checkAction(button: Button, findings: Findings, measure: Measure): void {
  const { at } = button
  switch (button.kind) {
    case 'copy':
      if (button.code.trim() === '') findings.problem(at, 'has no code')
      checkLength(button.code, choiceLimits.label, 'a code', at, findings, measure)
      break
    case 'url':
      if (button.url === '') findings.problem(at, 'has no valid URL (http, https or mailto)')
      checkLength(button.url, choiceLimits.label, 'an address', at, findings, measure)
      break
    case 'call':
      if (button.phone === '') findings.problem(at, 'has no phone number (3 to 20 digits)')
      break
    default:
  }
}

/** The id comes back with the answer, and is stored with it. */
function checkId(id: string, at: string, findings: Findings, measure: Measure): void {
  if (measure(id) > choiceLimits.idLength)
    findings.problem(at, `has an id of more than ${choiceLimits.idLength} characters`)
}

function warnOfDoubleIds(answers: readonly { readonly at: string; readonly id: string }[], findings: Findings): void {
  const seen = new Set<string>()
  for (const { at, id } of answers) {
    if (seen.has(id)) findings.warn('These have the id of another one, so that answers to them look alike', at)
    seen.add(id)
  }
}

function checkLength(
  text: string,
  shown: number,
  what: string,
  at: string,
  findings: Findings,
  measure: Measure,
): void {
  const length = measure(text)
  // The schema limits the text of a message.
  if (at !== 'text' && length > choiceLimits.label)
    findings.problem(at, `is longer than ${choiceLimits.label} characters`)
  else if (length > shown) findings.warn(`Longer than the ${shown} characters that clients show of ${what}`, at)
}

/** A text may have become empty when its placeholders were filled. */
function needText(text: string, at: string, findings: Findings): void {
  if (text.trim() === '') findings.problem(at, 'has no text')
}

/** Counts characters as a reader does, for texts that are not far over every limit. */
function characters(text: string): number {
  return text.length > 4 * choiceLimits.label ? text.length : [...text].length
}

const DETAILS_MAX = 20
const NAMED_MAX = 20

/** Collects all problems and warnings of a request, so that one answer has all of them. */
export class Findings {
  readonly #problems: { field: string; why: string }[] = []
  /** Fields by the sentence that is about them: a hundred choices give a few sentences, not a hundred. */
  readonly #warnings = new Map<string, string[]>()

  problem(field: string, why: string): void {
    this.#problems.push({ field, why })
  }

  /** One sentence per `about`; the fields that it is about are listed behind it. */
  warn(about: string, field?: string): void {
    const fields = this.#warnings.get(about) ?? []
    if (field !== undefined) fields.push(field)
    this.#warnings.set(about, fields)
  }

  /** @throws GatewayError INVALID_REQUEST with every problem in `details`, the first in its text */
  throwIfAny(): void {
    const [first] = this.#problems
    if (first === undefined) return
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${first.field} ${first.why}.`,
      details: this.#problems.slice(0, DETAILS_MAX),
    })
  }

  get warnings(): string[] {
    return [...this.#warnings].map(([about, fields]) =>
      fields.length === 0 ? `${about}.` : `${about}: ${list(fields)}.`,
    )
  }
}

function list(fields: readonly string[]): string {
  const shown = fields.slice(0, NAMED_MAX).join(', ')
  return fields.length > NAMED_MAX ? `${shown} and ${fields.length - NAMED_MAX} more` : shown
}
