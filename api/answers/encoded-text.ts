/** A text that is made once and given out often: compressed, and not again to callers who have it. */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Answer } from '../route.js'

// Bound: 16,384, a header of a request.

/** Higher ones take seconds for what is asked for a few times. */
const BROTLI_QUALITY = 6

export type EncodedText = (headers: IncomingHttpHeaders) => Promise<Answer>

interface Made {
  readonly tag: string
  readonly text: string
  readonly br: Buffer
  readonly gzip: Buffer
}

/** Returns a function that answers with the text. It is made at the first call. */
export function createEncodedText(make: () => Promise<string>, type: string): EncodedText {
  let made: Promise<Made> | undefined
  return async ({ 'if-none-match': known, 'accept-encoding': accepted }) => {
    made ??= encoded(make)
    const { tag, text, ...compressed } = await made
    // `Origin` is what the middleware for other origins has set.
    const headers = { ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding, Origin' }
    if (isSame(known, tag)) return new Answer({ status: 304, body: '', type, headers })
    const encoding = (['br', 'gzip'] as const).find((one) => isAccepted(accepted, one))
    if (encoding === undefined) return new Answer({ body: text, type, headers })
    return new Answer({ body: compressed[encoding], type, headers: { ...headers, 'Content-Encoding': encoding } })
  }
}

async function encoded(make: () => Promise<string>): Promise<Made> {
  const text = await make()
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)])
  // The same for all encodings, so it is a weak one.
  return { tag: `W/"${hash('sha256', text, 'base64url')}"`, text, br, gzip: gzipped }
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
