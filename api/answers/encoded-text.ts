/** A text that is made once and given out often: compressed, and not again to callers who have it. */
import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Answer, type EncodedText } from '../route.js'

// Bound: 16,384, a header of a request.

/** Higher ones take seconds for what is asked for a few times. */
const BROTLI_QUALITY = 6

/** A text in all its encodings. */
export interface TextForms {
  readonly tag: string
  readonly text: Uint8Array
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** Returns a function that answers with the text. It is made at the first call. */
export function createEncodedText(make: () => Promise<TextForms>, type: string): EncodedText {
  let made: Promise<TextForms> | undefined
  return async ({ 'if-none-match': known, 'accept-encoding': accepted }) => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    const { tag, text, ...compressed } = await made
    // `Origin` is what the middleware for other origins has set.
    const headers = { ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding, Origin' }
    if (isSame(known, tag)) return new Answer({ status: 304, body: '', type, headers })
    const encoding = (['br', 'gzip'] as const).find((one) => isAccepted(accepted, one))
    if (encoding === undefined) return new Answer({ body: toBuffer(text), type, headers })
    return new Answer({
      body: toBuffer(compressed[encoding]),
      type,
      headers: { ...headers, 'Content-Encoding': encoding },
    })
  }
}

/** Encodes a text. It takes long for a large one: call it in a thread. */
export function textForms(text: string): TextForms {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  // The same for all encodings, so it is a weak one.
  const tag = `W/"${hash('sha256', text, 'base64url')}"`
  return { tag, text: Buffer.from(text), br: brotliCompressSync(text, { params }), gzip: gzipSync(text) }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Tells whether `Accept-Encoding` names the encoding and does not give it the weight 0. */
export function isAccepted(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** Compares by the weak comparison, as `If-None-Match` demands. */
export function isSame(header: string | undefined, tag: string): boolean {
  const strong = (one: string): string => one.trim().replace(/^W\//, '')
  return (header ?? '').split(',').some((part) => part.trim() === '*' || strong(part) === strong(tag))
}
