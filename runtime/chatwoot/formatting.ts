// Bound: 65,536, a text; longer ones are left as they are.

/** Marks of formatted text: those of Markdown in Chatwoot, and those of the network. Text within code is left as it is. */

const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
const BOLD = '\u0001'

/** `**bold**`, `*italic*` and `~~struck~~` become `*bold*`, `_italic_` and `~struck~`. */
export function toNetworkText(text: string): string {
  return outsideCode(text, (part) =>
    part
      .replace(/\*\*(?=\S)([^*\n]*?\S)\*\*/g, `${BOLD}$1${BOLD}`)
      .replace(/(?<![*\w])\*(?=[^\s*])([^*\n]*?[^\s*]|[^\s*])\*(?![*\w])/g, '_$1_')
      .replace(/~~(?=\S)([^~\n]*?\S)~~/g, '~$1~')
      .replaceAll(BOLD, '*'),
  )
}

/** The other way. */
export function toChatwootText(text: string): string {
  return outsideCode(text, (part) =>
    part
      .replace(/(?<![*\w])\*(?=[^\s*])([^*\n]*?[^\s*]|[^\s*])\*(?![*\w])/g, `${BOLD}$1${BOLD}`)
      .replace(/(?<![_\w])_(?=[^\s_])([^_\n]*?[^\s_]|[^\s_])_(?![_\w])/g, '*$1*')
      .replace(/(?<![~\w])~(?=[^\s~])([^~\n]*?[^\s~]|[^\s~])~(?![~\w])/g, '~~$1~~')
      .replaceAll(BOLD, '**'),
  )
}

/** Maximum length of a text whose marks are changed: the network takes no longer one. */
const FORMATTED_MAX = 65_536

function outsideCode(text: string, change: (part: string) => string): string {
  if (text.length > FORMATTED_MAX) return text
  return text
    .replaceAll(BOLD, '')
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}
