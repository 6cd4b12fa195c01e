/** Writes the choices of a menu as the strings of `docs/reference/choices.md`. */
import type { ButtonDraft, Draft, FileSource } from './draft.js'

export interface WrittenChoice {
  readonly text: string
  /** Place in the builder, such as `buttons.2`, to which an error of the choice belongs. */
  readonly place: string
}

/** Text of a picture of a card: an address, or what stands for the file until it is read. */
export type FileText = (file: FileSource) => string

const PREFIX = { reply: '', url: 'url:', call: 'call:', copy: 'copy:' } as const

export function choicesOf(draft: Draft, fileText: FileText): readonly WrittenChoice[] {
  switch (draft.kind) {
    case 'button':
      return draft.buttons.map((button, index) => ({ text: buttonChoice(button), place: `buttons.${index}` }))
    case 'list':
      return draft.sections.flatMap(({ title, rows }, section) => [
        ...(title.trim() === '' ? [] : [{ text: titleChoice(title), place: `sections.${section}` }]),
        ...rows.map(({ text, id, description }, row) => ({
          text: fieldsChoice([text, id.trim() === text.trim() ? '' : id, description]),
          place: `sections.${section}.rows.${row}`,
        })),
      ])
    case 'poll':
      return draft.options.map(({ text }, index) => ({ text: fieldsChoice([text]), place: `options.${index}` }))
    case 'carousel':
      return draft.cards.flatMap(({ text, file, buttons }, card) => [
        { text: titleChoice(text), place: `cards.${card}` },
        ...(file === null ? [] : [{ text: `{${fileText(file)}}`, place: `cards.${card}.file` }]),
        ...buttons.map((button, index) => ({ text: buttonChoice(button), place: `cards.${card}.buttons.${index}` })),
      ])
    default:
      return []
  }
}

/** Returns true for an id that the notation takes as an action of the button, so that no reply can have it. */
export function readsAsAction(id: string): boolean {
  return /^(copy:|call:|url:|https?:\/\/|www\.[^\s.]+\.|mailto:)/i.test(id.trim())
}

function buttonChoice({ text, does, value }: ButtonDraft): string {
  if (does === 'reply') return fieldsChoice([text, value.trim() === text.trim() ? '' : value])
  return protectedStart(`${escaped(text)}|${PREFIX[does]}${escaped(value)}`)
}

function fieldsChoice(fields: readonly string[]): string {
  const written = fields.map(escaped)
  while (written.length > 1 && written.at(-1) === '') written.pop()
  return protectedStart(written.join('|'))
}

function titleChoice(text: string): string {
  return `[${escaped(text).replace(/[[\]]/g, '\\$&')}]`
}

/** Escapes what separates fields. Brackets and braces inside a text need no escape. */
function escaped(text: string): string {
  return text.trim().replace(/\\(?=[\\|[\]{}\r\n]|$)|[|\n\r]/g, '\\$&')
}

/** Escapes the bracket or brace at the start that would make the choice a title or an image. A placeholder begins with two braces. */
function protectedStart(choice: string): string {
  return /^(\[|\{(?!\{))/.test(choice) ? `\\${choice}` : choice
}
