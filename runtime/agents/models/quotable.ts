const LENGTH_MAX = 300
/** A run of so many characters of a private text counts as a quotation of it. */
const RUN_LENGTH = 16
const QUOTED = /["'`“”‘’«»]([^"'`“”‘’«»]{4,})["'`“”‘’«»]/g
const LOOKS_SECRET = /[A-Za-z0-9_\-*.]{24,}/g
/** Such as `max_completion_tokens.details`. */
const IS_NAME = /^[a-z]{1,15}([_.-][a-z]{1,15})*$/

/**
 * Returns what a provider says about an error, on one line and cut, or '' when it quotes a private text. Long words without spaces are
 * replaced, since they may be keys.
 */
export function quotable(message: string, privateTexts: readonly string[]): string {
  const line = message
    .slice(0, LENGTH_MAX)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of others must not reach a log
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  if (line === '' || quotes(line, privateTexts)) return ''
  return line.replace(LOOKS_SECRET, (word) => (IS_NAME.test(word) ? word : '…'))
}

function quotes(line: string, privateTexts: readonly string[]): boolean {
  const texts = privateTexts.filter((text) => text !== '')
  if (texts.some((text) => text.length <= RUN_LENGTH && text.length >= 4 && line.includes(text))) return true
  for (const [, quoted = ''] of line.matchAll(QUOTED)) if (texts.some((text) => text.includes(quoted))) return true
  for (let start = 0; start + RUN_LENGTH <= line.length; start += 1) {
    const run = line.slice(start, start + RUN_LENGTH)
    if (texts.some((text) => text.includes(run))) return true
  }
  return false
}
