// Bound: 2,000, words of a provider, cut in error-facts.ts.

const LENGTH_MAX = 300
/** Number of characters of a private text that count as a quotation of it. */
const RUN_LENGTH = 16
/** Length of the pieces by which runs are found: each run holds a whole piece that begins at a multiple of this length. */
const PIECE_LENGTH = RUN_LENGTH / 2
/** Maximum length of all private texts that are searched. If there is more, nothing is quoted. */
const PRIVATE_MAX = 1_048_576
/** Maximum number of quotations and of pieces in common that are looked at. If there are more, the line counts as a quotation. */
const QUOTATIONS_MAX = 6
const COMMON_MAX = 10_000
const QUOTED = /["'`“”‘’«»]([^"'`“”‘’«»]{4,})["'`“”‘’«»]/g
const LOOKS_SECRET = /[A-Za-z0-9_\-*.]{24,}/g
/** Such as `max_completion_tokens.details`. */
const IS_NAME = /^[a-z]{1,15}([_.-][a-z]{1,15})*$/

/**
 * Returns what a provider says about an error, on one line and cut, or '' if it quotes a private text. Long words without spaces are
 * replaced, since they may be keys. The time grows with the length of the private texts, up to 1 MiB, and with nothing else.
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
  if (texts.reduce((sum, { length }) => sum + length, 0) > PRIVATE_MAX) return true
  if (texts.some((text) => text.length <= RUN_LENGTH && text.length >= 4 && line.includes(text))) return true
  const quotations = [...line.matchAll(QUOTED)].map(([, quoted = '']) => quoted)
  if (quotations.length > QUOTATIONS_MAX) return true
  if (quotations.some((quoted) => texts.some((text) => text.includes(quoted)))) return true
  return hasCommonRun(line, texts)
}

/** Returns whether a run of characters stands in the line and in a text. */
function hasCommonRun(line: string, texts: readonly string[]): boolean {
  const pieces = piecesOf(line)
  let common = 0
  for (const text of texts)
    for (let at = 0; at + PIECE_LENGTH <= text.length; at += PIECE_LENGTH)
      for (const start of pieces.get(text.slice(at, at + PIECE_LENGTH)) ?? []) {
        common += 1
        if (common > COMMON_MAX || commonLength(line, start, text, at) >= RUN_LENGTH) return true
      }
  return false
}

/** Returns each piece of the line with the places at which it begins. */
function piecesOf(line: string): ReadonlyMap<string, readonly number[]> {
  const pieces = new Map<string, number[]>()
  for (let start = 0; start + PIECE_LENGTH <= line.length; start += 1) {
    const piece = line.slice(start, start + PIECE_LENGTH)
    const known = pieces.get(piece)
    if (known === undefined) pieces.set(piece, [start])
    else known.push(start)
  }
  return pieces
}

/** Returns the length of the equal run around two places, looking no farther than a whole run. */
function commonLength(line: string, start: number, text: string, at: number): number {
  let before = 0
  while (before < RUN_LENGTH && start > before && at > before && line[start - before - 1] === text[at - before - 1])
    before += 1
  let after = 0
  while (after < RUN_LENGTH && start + after < line.length && line[start + after] === text[at + after]) after += 1
  return before + after
}
