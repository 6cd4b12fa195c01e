import { cut } from '../../schemas/cut.js'

/**
 * Prepares text of other people for a model: leaves out characters that no person sees, in which instructions hide (controls, changes of
 * direction, tags outside of flags), and cuts it.
 */
export function visibleText(text: unknown, max: number): string {
  if (typeof text !== 'string') return ''
  // Bounds the work on a long text before it looks at each character.
  const seen = text.slice(0, max * 4).replace(HIDDEN, '')
  if (seen.length <= max && text.length <= max * 4) return seen
  return `${cut(seen, max - 1)}…`
}

const FLAG_TAGS = '(?<!\\u{1F3F4}[\\u{E0020}-\\u{E007F}]*)'
const HIDDEN = new RegExp(
  `[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]|${FLAG_TAGS}[\\u{E0000}-\\u{E007F}]`,
  'gu',
)
