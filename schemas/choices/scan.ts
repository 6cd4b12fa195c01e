// Bound: 1,048,576, a field of a request.

/**
 * One choice string, taken apart. What its parts mean is another matter (`parse.ts`).
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

export type Scanned =
  | { readonly kind: 'title'; readonly text: string }
  /** `raw` is the choice as fields, for types in which an image has no place. */
  | { readonly kind: 'image'; readonly text: string; readonly raw: Fields }
  | Fields

export interface Fields {
  readonly kind: 'fields'
  /** At least one; any may be empty. */
  readonly fields: readonly string[]
  /** All after the first separator as one text, for values that must not be cut; empty when there is none. */
  readonly rest: string
}

export function scanChoice(choice: string): Scanned {
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
  return text.replace(/\\(\r\n|[\\|[\]{}\r\n])/g, '$1')
}
