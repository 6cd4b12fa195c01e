/** Reads the JSON body of a request, and never holds more of it than allowed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exceededLimit, type JsonLimits } from '../../lib/json-shape.js'
import { GatewayError } from '../../schemas/errors.js'
import { asFrequentWork, noteBytes, type Work } from '../../schemas/work.js'
import { inspect } from './inspect.js'

// Bound: 1,048,576, a body or header of a request.

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly bodyDepthMax: number
  /** Maximum of members of all objects together. */
  readonly bodyKeysMax: number
  /** Maximum of members of all objects and items of all arrays together. */
  readonly bodyValuesMax: number
}

const SMALL_BYTES_MAX = 16_384
const NO_BYTES = Buffer.alloc(0)

/**
 * Returns the parsed body. An empty one is `{}`.
 * Refuses a body that is announced as too large before it reads any of it.
 * @param work to which the time counts that it takes of the main thread
 * @throws GatewayError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, FORBIDDEN_KEY, INVALID_REQUEST, REQUEST_TIMEOUT
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  work: Work,
): Promise<unknown> {
  const bytes = await readBodyBytes(request, response, limits.bodyBytesMax, work)
  return asFrequentWork(work, () => parseBody(bytes, limits))
}

/** Returns the bytes of a JSON body. @throws GatewayError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT */
export async function readBodyBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  work: Work,
): Promise<Buffer> {
  if (!hasBody(request)) return NO_BYTES
  beginBody(request, response, bytesMax)
  const bytes = await readBytes(request, bytesMax)
  noteBytes(work, bytes.length)
  return bytes
}

/** Checks the headers of a body before any of it is read. @throws GatewayError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
export function beginBody({ headers }: IncomingMessage, response: ServerResponse, bytesMax: number): void {
  refuseOtherTypes(headers['content-type'])
  beginPlainBody({ headers }, response, bytesMax)
}

/** The same for a body of any media type. */
export function beginPlainBody(
  { headers }: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
  bytesMax: number,
): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
  refuseOtherEncodings(headers)
  // The caller waits for this before it sends a large body. A refusal above saves it the effort.
  if (headers.expect !== undefined) response.writeContinue()
}

/** Parses and checks a body. @throws GatewayError MALFORMED_JSON, FORBIDDEN_KEY, INVALID_REQUEST */
export function parseBody(bytes: Buffer, limits: Omit<BodyLimits, 'bodyBytesMax'>): unknown {
  if (bytes.length === 0) return {}
  refuseShape(bytes, limits)
  const body = parse(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('INVALID_REQUEST', {
      message: 'Invalid request: the body must be a JSON object.',
      details: [{ field: '', why: 'must be object' }],
    })
  }
  inspect(body, limits.bodyDepthMax)
  return body
}

/** Counts keys and values before the body is parsed: many small values cost a hundred times their bytes. */
function refuseShape(
  bytes: Buffer,
  { bodyDepthMax, bodyKeysMax, bodyValuesMax }: Omit<BodyLimits, 'bodyBytesMax'>,
): void {
  const limits = { depthMax: bodyDepthMax, keysMax: bodyKeysMax, valuesMax: bodyValuesMax }
  const exceeded = exceededLimit(bytes, limits)
  if (exceeded !== null) throw tooMany(exceeded, limits[exceeded])
}

/** Returns the error for a body that exceeds a limit of its shape. */
export function tooMany(limit: keyof JsonLimits, max: number): GatewayError {
  const why = {
    depthMax: `must not nest deeper than ${max} levels`,
    keysMax: `must not have more than ${max} keys in all`,
    valuesMax: `must not have more than ${max} values in all`,
  }[limit]
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: the body ${why}.`,
    details: [{ field: '', why }],
    limit: 'body',
  })
}

/** Tells whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Tells whether a body may be so large that callers who send many at once, slowly, would fill the memory. */
export function isLargeBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES_MAX
}

function refuseOtherTypes(type: string | undefined): void {
  // Takes a body without a type as JSON, since many small clients forget the header.
  if (type === undefined) return
  if (!/^application\/(json|[\w.-]+\+json)$/.test(readMediaType(type))) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE')
}

/** Returns the media type without its parameters, in lower case. */
export function readMediaType(type: string): string {
  // Bound: 16,384, a header.
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

function refuseOtherEncodings({
  'content-encoding': encoding,
  'content-type': type = '',
}: IncomingMessage['headers']): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { message: 'A compressed body is not taken.' })
  }
  // Bound: 16,384, a header.
  const parameters = type.toLowerCase().split(';').slice(1)
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='))
  if (charset !== undefined && !/^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset)) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must be in UTF-8.' })
  }
}

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onClosed).off('close', onClosed)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= bytesMax) {
        chunks.push(chunk)
        return
      }
      settle()
      reject(bodyTooLarge(bytesMax))
    }
    const onEnd = (): void => {
      settle()
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))
    }
    const onClosed = (): void => {
      settle()
      reject(new GatewayError('REQUEST_TIMEOUT', { message: 'The body did not arrive in full; nothing was done.' }))
    }
    request.on('data', onData).on('end', onEnd).on('error', onClosed).on('close', onClosed)
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): unknown {
  try {
    // Bound: 1,048,576, 20,000 values, counted before.
    return JSON.parse(decoder.decode(bytes)) as unknown
  } catch (cause) {
    // Leaves out the parser's message: it quotes the body, and helps the caller no more than this.
    const message = cause instanceof SyntaxError ? undefined : 'The body is not valid UTF-8.'
    throw new GatewayError('MALFORMED_JSON', message === undefined ? {} : { message })
  }
}

export function bodyTooLarge(bytesMax: number): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', {
    message: `The body is larger than the ${bytesMax} bytes allowed.`,
    fields: { limit_bytes: bytesMax },
  })
}
