/** Characters that change how the text around them looks, or that cannot be seen. Line breaks and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Maximum of characters that are drawn of one text. */
const DRAWN_MAX = 65_536

/** Returns text of a stranger with unseen characters shown as such, and cut if it is too long to draw. */
export function showUnseen(text: string): string {
  const cut = text.length > DRAWN_MAX ? `${text.slice(0, DRAWN_MAX)}…` : text
  return cut.replace(UNSEEN, (character) =>
    character === '\r' ? '' : `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
