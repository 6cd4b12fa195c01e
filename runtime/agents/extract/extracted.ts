import type { KnowledgeFileType } from '../../../schemas/agents/knowledge-content.js'
import { type Chunk, chunksOf } from './chunks.js'
import { decodeText } from './decode-text.js'
import { boundedText, ExtractionRefused } from './limits.js'
import { languageOf, splitWords, type TextLanguage } from './words.js'

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
  const chunks = chunksOf(text).map((chunk) => ({ ...chunk, words: splitWords(chunk.text).join(' ') }))
  if (chunks.length === 0) throw new ExtractionRefused('There is no text in it.')
  return { text, chunks, language: languageOf(text) }
}
