import type { KnowledgeFileType } from '../../../schemas/agents/knowledge-content.js'
import { type Chunk, splitChunks } from './chunks.js'
import { decodeText } from './decode-text.js'
import { guessLanguage, splitWords, type TextLanguage } from './words.js'

/** A text or file, as an entry or a page has it. */
export interface ExtractSource {
  readonly type: KnowledgeFileType
  readonly bytes: Uint8Array
  /** Character set that the server of a page named; may be empty. */
  readonly charset?: string
}

export interface ExtractedChunk extends Chunk {
  /** Its words without accents. They are found here, because large texts are read in a thread. */
  readonly words: string
}

export interface Extracted {
  readonly text: string
  /** One at least. */
  readonly chunks: readonly ExtractedChunk[]
  readonly language: TextLanguage
}

/** Reads a plain text. @throws ExtractionRefused */
export function readPlainText(bytes: Uint8Array, charset = ''): Extracted {
  return extracted(boundedText(decodeText(bytes, charset)))
}

/** @throws ExtractionRefused when there is no text */
export function extracted(given: string): Extracted {
  // PostgreSQL takes no NUL.
  const text = given.replaceAll('\0', '')
  const chunks = splitChunks(text).map((chunk) => ({ ...chunk, words: splitWords(chunk.text).join(' ') }))
  if (chunks.length === 0) throw new ExtractionRefused('There is no text in it.')
  return { text, chunks, language: guessLanguage(text) }
}

/** Bounds of what is read from a file, whoever made it. */
export const EXTRACT_LIMITS = {
  /** For the whole file. */
  timeoutMs: 30_000,
  /** Objects and texts of the worker. */
  heapMiB: 256,
  /** One decoded part of a PDF. */
  partMaxBytes: 32 * 2 ** 20,
  /** All large parts of a PDF together, in the order in which they are made. */
  partsMaxBytes: 1024 * 2 ** 20,
  pagesMax: 500,
  charactersMax: 2_000_000,
  htmlDepthMax: 100,
  rowMaxBytes: 256 * 1024,
  columnsMax: 200,
} as const

/** A file that cannot be read, however often it is tried. Its message is for the person who gave the file. */
export class ExtractionRefused extends Error {}

/** Returns the text. @throws ExtractionRefused when it is too long */
export function boundedText(text: string): string {
  refuseLong(text.length)
  return text
}

/** @throws ExtractionRefused when a text with so many characters is too long */
export function refuseLong(characters: number): void {
  if (characters > EXTRACT_LIMITS.charactersMax)
    throw new ExtractionRefused(`The text has more than ${EXTRACT_LIMITS.charactersMax} characters.`)
}
