// Bound: 8,192, a text; longer ones are read in a thread.

/** Cuts texts into the pieces that the search finds and models read. */

export interface Chunk {
  readonly text: string
  /** Characters at its beginning that repeat the end of the chunk before it. */
  readonly overlap: number
}

interface Piece {
  readonly text: string
  /** Stands between this piece and the one before it. */
  readonly glue: string
  readonly isHeading: boolean
}

const CHUNK_MAX = 1_200
const OVERLAP_MAX = 150
/** A heading begins a chunk when the one before it has at least so many characters. */
const SECTION_MIN = 300

/** Returns chunks of at most 1,200 characters. Cuts at headings, paragraphs, lines, sentences and words, in this order of preference. */
export function splitChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  let current = ''
  let overlap = 0
  const finish = (): void => {
    if (current.length > overlap) chunks.push({ text: current, overlap })
  }
  for (const { text: piece, glue, isHeading } of pieces(cleaned(text))) {
    const isNew = isHeading && current.length >= SECTION_MIN
    if (current !== '' && !isNew && current.length + glue.length + piece.length <= CHUNK_MAX) {
      current += glue + piece
      continue
    }
    const tail = isNew || current === '' ? '' : findTail(current, CHUNK_MAX - piece.length - glue.length)
    finish()
    current = tail === '' ? piece : tail + glue + piece
    overlap = tail === '' ? 0 : tail.length + glue.length
  }
  finish()
  return chunks
}

/** Returns an estimate of the tokens of a text, for languages of Latin letters. */
export function estimateChunkTokens(text: string): number {
  return Math.ceil(text.length / 3.5)
}

function cleaned(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]+|[\u200b\u2060\ufeff]+/gu, '')
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function* pieces(text: string): Generator<Piece> {
  let glue = ''
  for (const paragraph of text.split('\n\n')) {
    const isHeading = /^#{1,6} /.test(paragraph)
    for (const [index, piece] of splitParagraph(paragraph).entries()) {
      yield { ...piece, glue: index === 0 ? glue : piece.glue, isHeading: isHeading && index === 0 }
      glue = '\n\n'
    }
  }
}

/** Returns a paragraph as a whole if it fits a chunk, else its lines, else its sentences, else its words. */
function splitParagraph(paragraph: string): { text: string; glue: string }[] {
  if (paragraph.length <= CHUNK_MAX) return [{ text: paragraph, glue: '\n\n' }]
  return paragraph
    .split('\n')
    .flatMap((line, number) =>
      linesParts(line).map((part, index) => (index === 0 && number > 0 ? { ...part, glue: '\n' } : part)),
    )
}

function linesParts(line: string): { text: string; glue: string }[] {
  if (line.length <= CHUNK_MAX) return [{ text: line, glue: '\n' }]
  return line
    .split(/(?<=[.!?…;]) /)
    .flatMap((sentence) => (sentence.length <= CHUNK_MAX ? [{ text: sentence, glue: ' ' }] : wordParts(sentence)))
}

/** Cuts a sentence at spaces, and a word that is longer than a chunk anywhere but inside of a character. */
function wordParts(sentence: string): { text: string; glue: string }[] {
  const parts: { text: string; glue: string }[] = []
  let glue = ' '
  for (let from = 0; from < sentence.length; ) {
    let to = Math.min(sentence.length, from + CHUNK_MAX - OVERLAP_MAX)
    const space = to < sentence.length ? sentence.lastIndexOf(' ', to) : to
    const isWord = space > from
    if (isWord) to = space
    else if (isHalf(sentence, to)) to -= 1
    parts.push({ text: sentence.slice(from, to), glue })
    glue = isWord ? ' ' : ''
    from = isWord && to < sentence.length ? to + 1 : to
  }
  return parts
}

function isHalf(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) && /[\ud800-\udbff]$/.test(text.slice(at - 1, at))
}

/** Returns the end of a chunk for the beginning of the next, from the start of a sentence or word on; empty when there is no room. */
function findTail(text: string, room: number): string {
  const length = Math.min(OVERLAP_MAX, room)
  if (length < 20 || text.length <= length) return ''
  const tail = text.slice(-length)
  const start = /[.!?…\n]\s+/.exec(tail) ?? /\s+/.exec(tail)
  return start === null ? '' : tail.slice(start.index + start[0].length)
}
