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
