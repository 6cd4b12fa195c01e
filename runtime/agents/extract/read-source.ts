import { csvText } from './csv.js'
import { decodeText } from './decode-text.js'
import { type Extracted, type ExtractSource, extracted, readPlainText } from './extracted.js'
import { htmlText } from './html.js'

/** Reads a text or a file that is none of PDF. Loads the libraries for HTML and CSV: for a thread. @throws ExtractionRefused */
export function readText({ type, bytes, charset = '' }: ExtractSource): Extracted {
  if (type === 'html') return extracted(htmlText(bytes, charset))
  return type === 'csv' ? extracted(csvText(decodeText(bytes, charset))) : readPlainText(bytes, charset)
}
