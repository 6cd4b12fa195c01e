import { getDocumentProxy } from 'unpdf'
import { boundedText, EXTRACT_LIMITS, ExtractionRefused, refuseLong } from './extracted.js'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Document['getPage']>>

/** Returns the text of all pages. Call it in a thread of its own only: it bounds the buffers of the whole thread. @throws ExtractionRefused */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  boundBuffers()
  try {
    return await textOfPages(await open(bytes))
  } catch (error) {
    // The library may wrap the refusal of a buffer in an error of its own.
    throw isTooLarge ? tooLarge() : error
  }
}

async function textOfPages(document: Document): Promise<string> {
  if (document.numPages > EXTRACT_LIMITS.pagesMax)
    throw new ExtractionRefused(`The PDF has ${document.numPages} pages; at most ${EXTRACT_LIMITS.pagesMax} are read.`)
  const pages: string[] = []
  let length = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const text = await readPageText(page)
    page.cleanup()
    length += text.length
    refuseLong(length)
    pages.push(text)
  }
  const text = pages.join('\n\n')
  // The library takes a part that was refused for a broken one, and goes on.
  if (isTooLarge) throw tooLarge()
  if (text.trim() === '') throw new ExtractionRefused('The PDF has no text: its pages are pictures.')
  return boundedText(text)
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    return await getDocumentProxy(bytes, {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') throw new ExtractionRefused('The PDF is encrypted with a password.')
    throw new ExtractionRefused('The PDF is broken.')
  }
}

async function readPageText(page: Page): Promise<string> {
  const { items } = await page.getTextContent()
  let text = ''
  for (const item of items) {
    if (!('str' in item)) continue
    text += item.str + (item.hasEOL ? '\n' : '')
  }
  return text
}

let isBounded = false
let isTooLarge = false

function tooLarge(): ExtractionRefused {
  return new ExtractionRefused('The PDF holds too much compressed data.')
}

/**
 * Bounds the buffers that the library decodes into. A small PDF may hold a stream of many gigabytes, and the limits of a thread count objects,
 * not buffers.
 */
function boundBuffers(): void {
  if (isBounded) return
  isBounded = true
  // The system's decoder collects a whole stream before the library makes a buffer of it. Without it the library decodes itself, step by step.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  let total = 0
  globalThis.Uint8Array = boundedArray(Uint8Array, 2 ** 20, (size) => {
    total += size
    return size > EXTRACT_LIMITS.partMaxBytes || total > EXTRACT_LIMITS.partsMaxBytes
  })
  // The decoder of Brotli makes many small ones.
  let small = 0
  globalThis.Int8Array = boundedArray(Int8Array, 0, (size) => {
    small += size
    return small > EXTRACT_LIMITS.partMaxBytes
  })
}

/** Returns the class of arrays, which refuses those of more than `least` bytes for which `isTooMuch` is true. */
function boundedArray<Class extends Uint8ArrayConstructor | Int8ArrayConstructor>(
  array: Class,
  least: number,
  isTooMuch: (size: number) => boolean,
): Class {
  return new Proxy(array, {
    construct(target, given, newTarget) {
      const [size] = given as unknown[]
      if (typeof size === 'number' && size > least) {
        isTooLarge ||= isTooMuch(size)
        if (isTooLarge) throw tooLarge()
      }
      return Reflect.construct(target, given, newTarget) as object
    },
  })
}
