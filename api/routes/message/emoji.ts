// Bound: 1,048,576, a body or header of a request.

/** Matches the parts of one emoji (UTS 51, 1.4.9), besides flags and keycaps: modifiers, tags, and others joined to it. */
const ELEMENT = '\\p{Emoji}(?:\\p{EMod}|\\uFE0F|[\\u{E0020}-\\u{E007E}]+\\u{E007F})*'
const PICTURE = new RegExp(`^(?=.*\\p{ExtPict})${ELEMENT}(?:\\u200D${ELEMENT})*$`, 'u')
const FLAG_OR_KEYCAP = /^(?:\p{RI}{2}|[0-9#*]\uFE0F?\u20E3)$/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Tells whether a text is one emoji as people count them: a family of four is one, though it has seven code points. */
export function isOneEmoji(text: string): boolean {
  const [first] = segmenter.segment(text)
  return first?.segment === text && (PICTURE.test(text) || FLAG_OR_KEYCAP.test(text))
}
