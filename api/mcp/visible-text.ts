import { cut } from '../../lib/cut.js'

/**
 * Prepares text of other people for a model: leaves out characters that no person sees, in which instructions hide (controls, changes of
 * direction, tags outside of flags), and cuts it. The time grows with the length of the text, up to four times `max`.
 */
export function visibleText(text: unknown, max: number): string {
  if (typeof text !== 'string') return ''
  // Bounds the work on a long text before it looks at each character.
  const seen = withoutHidden(text.slice(0, max * 4))
  if (seen.length <= max && text.length <= max * 4) return seen
  return `${cut(seen, max - 1)}…`
}

const BLACK_FLAG = 0x1f3f4
// Bound: 1,048,576, a body or header of a request.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
  /^[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E001F}]$/u

/** Leaves out hidden characters in one pass. Tags are seen only behind a black flag, where they name a region. */
function withoutHidden(text: string): string {
  let seen = ''
  let isFlag = false
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isTag = code >= 0xe0020 && code <= 0xe007f
    if (isTag ? isFlag : !HIDDEN.test(character)) seen += character
    isFlag = code === BLACK_FLAG || (isFlag && isTag)
  }
  return seen
}

const QUOTED_MAX = 500

/** Quotes words in a question to a person, on one line, so that they cannot pass as words of the question. */
export function quotedWords(text: string): string {
  // Bound: 1,048,576, a body or header of a request.
  return JSON.stringify(visibleText(text.replaceAll(/\s+/gu, ' '), QUOTED_MAX))
}
