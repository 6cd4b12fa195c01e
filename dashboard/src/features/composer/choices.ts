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

export function writeChoices(draft: Draft, fileText: FileText): readonly WrittenChoice[] {
  switch (draft.kind) {
    case 'button':
      return draft.buttons.map((button, index) => ({ text: writeButton(button), place: `buttons.${index}` }))
    case 'list':
      return draft.sections.flatMap(({ title, rows }, section) => [
        ...(title.trim() === '' ? [] : [{ text: writeTitle(title), place: `sections.${section}` }]),
        ...rows.map(({ text, id, description }, row) => ({
          text: writeFields([text, id.trim() === text.trim() ? '' : id, description]),
          place: `sections.${section}.rows.${row}`,
        })),
      ])
    case 'poll':
      return draft.options.map(({ text }, index) => ({ text: writeFields([text]), place: `options.${index}` }))
    case 'carousel':
      return draft.cards.flatMap(({ text, file, buttons }, card) => [
        { text: writeTitle(text), place: `cards.${card}` },
        ...(file === null ? [] : [{ text: `{${fileText(file)}}`, place: `cards.${card}.file` }]),
        ...buttons.map((button, index) => ({ text: writeButton(button), place: `cards.${card}.buttons.${index}` })),
      ])
    default:
      return []
  }
}

/** Returns true for an id that the notation takes as an action of the button, so that no reply can have it. */
export function readsAsAction(id: string): boolean {
  return /^(copy:|call:|url:|https?:\/\/|www\.[^\s.]+\.|mailto:)/i.test(id.trim())
}

function writeButton({ text, does, value }: ButtonDraft): string {
  if (does === 'reply') return writeFields([text, value.trim() === text.trim() ? '' : value])
  return protectStart(`${escapeField(text)}|${PREFIX[does]}${escapeField(value)}`)
}

function writeFields(fields: readonly string[]): string {
  const written = fields.map(escapeField)
  while (written.length > 1 && written.at(-1) === '') written.pop()
  return protectStart(written.join('|'))
}

function writeTitle(text: string): string {
  return `[${escapeField(text).replace(/[[\]]/g, '\\$&')}]`
}

/** Escapes what separates fields. Brackets and braces inside a text need no escape. */
function escapeField(text: string): string {
  return text.trim().replace(/\\(?=[\\|[\]{}\r\n]|$)|[|\n\r]/g, '\\$&')
}

/** Escapes the bracket or brace at the start that would make the choice a title or an image. A placeholder begins with two braces. */
function protectStart(choice: string): string {
  return /^(\[|\{(?!\{))/.test(choice) ? `\\${choice}` : choice
}
