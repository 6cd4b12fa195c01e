/** HTTP to addresses that others chose: guarded, bounded in size and time. Nothing of ours calls out except through it. */
import type { LookupAddress } from 'node:dns'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import type { GatewayError } from '../../schemas/errors.js'
import { noteBytes } from '../../schemas/work.js'
import { exchange } from './exchange.js'
import { createGuard, type Guard } from './guard.js'
import { createJsonReader, type JsonReader, readJsonAnswer } from './json/json-reader.js'
import type { JsonAnswer, JsonUse } from './json/json-use.js'
import { createLookups, type LookupLimits, type ResolveName } from './lookups.js'
import {
  asFetchError,
  fetchFailed,
  isRedirect,
  type PostOptions,
  type PostOutcome,
  post,
  tooLarge,
  wordFor,
} from './post.js'
import { createSystemResolver } from './system-resolver.js'

// Bound: 16,384, a header or an address.

export type { PostOutcome } from './post.js'

export interface OutgoingOptions {
  readonly allowPrivateAddresses: boolean
  /** Told to the far side. */
  readonly userAgent: string
  /** Connections to one origin at most. */
  readonly connectionsMax?: number
  readonly connectTimeoutMs?: number
  /** Limits of the lookups of names, per owner. */
  readonly lookups?: LookupLimits
  /** As of `GuardOptions`. */
  readonly privateHosts?: readonly string[]
  /** For tests: answers instead of the system's resolver. */
  readonly resolve?: ResolveName
  /** For tests: another idea of what is public. */
  readonly isPublic?: (address: string) => boolean
}

export interface GetOptions {
  readonly accept: string
  readonly sizeMaxBytes: number
  /** For everything: all redirects, headers and body. */
  readonly timeoutMs: number
  /** Beside those that are always sent. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default 3. */
  readonly redirectsMax?: number
  /** Keep the beginning of a longer body instead of failing. */
  readonly truncate?: boolean
  /** The instance on whose behalf it is; what it costs is counted against its limits. */
  readonly owner?: string
}

export type DownloadOptions = Pick<GetOptions, 'accept' | 'sizeMaxBytes' | 'timeoutMs' | 'owner'>

export interface FetchedStream extends Omit<FetchedBody, 'body'> {
  /** The header `Content-Disposition`; may be empty. */
  readonly disposition: string
  readonly body: AsyncIterable<Uint8Array>
}

export interface FetchedBody {
  /** After redirects. */
  readonly url: string
  readonly contentType: string
  /** Decompressed. */
  readonly body: Buffer
}

export interface RequestOptions {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For connecting, sending and the whole answer. */
  readonly timeoutMs: number
  /** Maximum of bytes of the answer, decompressed. A longer one is cut, together with its connection. */
  readonly answerMaxBytes: number
  /** Reads the answer as JSON for this use; one that is no success, as an error. */
  readonly json?: JsonUse
  /** Ends the request and its connection at once: `ABORTED`. */
  readonly signal?: AbortSignal
  /** As of `GetOptions`. */
  readonly owner?: string
}

/** Outcome of a request. An answer of any status counts as an answer. */
export type RequestOutcome =
  | {
      readonly answered: true
      readonly statusCode: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      /** Decompressed. */
      readonly body: Buffer
      /** The answer was longer than `answerMaxBytes`. */
      readonly isCut: boolean
      /** Present if `json` was asked for. */
      readonly json?: JsonAnswer
    }
  | {
      readonly answered: false
      /** As of `PostOutcome`; `ABORTED` and `URL_NOT_ALLOWED` too. */
      readonly error: string
    }

export interface Outgoing {
  /** For the moment of configuration: see Guard. @throws GatewayError URL_NOT_ALLOWED */
  assertUrlAllowed(url: string, owner?: string): Promise<URL>
  /**
   * GET, following redirects with every hop checked again. Only a 2xx is a success.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED
   */
  get(url: string, options: GetOptions): Promise<FetchedBody>
  /**
   * As `get`, for what is too large for memory: the body comes as a stream, which ends with an error where it would be too large, is cut
   * short, or takes too long. Whoever takes it must read it to its end or destroy it.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED; the stream too
   */
  download(url: string, options: DownloadOptions): Promise<FetchedStream>
  /** POST that follows one redirect, of the status 307 or 308, within its origin. A connection is kept for the next. Never rejects. */
  post(options: PostOptions): Promise<PostOutcome>
  /** Sends a request of any method, and follows nothing. A connection is kept for the next. Never rejects. */
  request(options: RequestOptions): Promise<RequestOutcome>
  /** Returns the addresses of a proxy. @throws AddressRefused, NodeJS.ErrnoException as `Lookups` */
  findAddresses(host: string, owner: string): Promise<readonly LookupAddress[]>
  /** Resolves a host of the network, whatever its address. @throws NodeJS.ErrnoException as `Lookups` */
  resolve(host: string, owner: string): Promise<readonly LookupAddress[]>
  /** Ends all connections at once. */
  close(): Promise<void>
}

const CONNECTIONS_MAX = 32
const CONNECT_TIMEOUT_MS = 5000
const REDIRECTS_MAX = 3
const HEADERS_MAX_BYTES = 16_384

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const system = options.resolve === undefined ? createSystemResolver() : undefined
  const lookups = createLookups(
    options.resolve ?? ((name) => system?.resolve(name) ?? Promise.resolve([])),
    options.lookups,
  )
  const guard = createGuard({
    allowPrivateAddresses: options.allowPrivateAddresses,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    lookups,
    ...(options.privateHosts === undefined ? {} : { privateHosts: options.privateHosts }),
    ...(options.isPublic === undefined ? {} : { isPublic: options.isPublic }),
  })
  const agent = new Agent({
    connect: guard.connect,
    connections: options.connectionsMax ?? CONNECTIONS_MAX,
    // One request at a time on a connection: a receiver that died with several on it would get some of them twice.
    pipelining: 1,
    maxHeaderSize: HEADERS_MAX_BYTES,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    // The whole exchange has one time-out of its own; these would only add timers.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const userAgent = options.userAgent
  const jsonReader = createJsonReader()

  return {
    assertUrlAllowed: (url, owner) => guard.assertUrlAllowed(url, owner),
    get: (url, getOptions) => get(agent, guard, userAgent, url, getOptions),
    download: (url, downloadOptions) => download(agent, guard, userAgent, url, downloadOptions),
    findAddresses: (host, owner) => guard.findAddresses(host, owner),
    resolve: (host, owner) => lookups.known(host, owner),
    post: (postOptions) => post(agent, guard, userAgent, postOptions),
    request: (requestOptions) => request(agent, guard, jsonReader, userAgent, requestOptions),
    async close() {
      await agent.destroy()
      await jsonReader.close()
      system?.close()
    },
  }
}

async function get(
  agent: Dispatcher,
  guard: Guard,
  userAgent: string,
  url: string,
  options: GetOptions,
): Promise<FetchedBody> {
  const deadline = Date.now() + options.timeoutMs
  const redirectsMax = options.redirectsMax ?? REDIRECTS_MAX
  let target = guard.parse(url)
  for (let redirects = 0; ; redirects += 1) {
    await guard.prepare(target, options.owner ?? '').catch((error: Error) => {
      throw asFetchError(error)
    })
    const answer = await exchange(agent, {
      url: target,
      method: 'GET',
      headers: {
        ...options.headers,
        'user-agent': userAgent,
        accept: options.accept,
        'accept-encoding': 'gzip, deflate, br',
      },
      timeoutMs: Math.max(1, deadline - Date.now()),
      keepBytes: options.sizeMaxBytes,
      readBytes: options.sizeMaxBytes,
    }).catch((error: Error) => {
      throw asFetchError(error)
    })
    const location = isRedirect(answer.statusCode) ? text(answer.headers.location) : ''
    if (location !== '') {
      if (redirects >= redirectsMax) throw fetchFailed('It redirects too often.')
      target = guard.parse(URL.canParse(location, target.href) ? new URL(location, target).href : '')
      continue
    }
    if (answer.statusCode < 200 || answer.statusCode > 299) throw fetchFailed(`It answered ${answer.statusCode}.`)
    const body = await readDecoded(
      answer.body,
      text(answer.headers['content-encoding']),
      options.sizeMaxBytes,
      answer.cut || options.truncate === true,
    ).catch((error: Error) => {
      throw asFetchError(error)
    })
    if (options.truncate !== true && (answer.cut || body.cut)) throw fetchFailed('It is too large.')
    return { url: target.href, contentType: text(answer.headers['content-type']), body: body.data }
  }
}

async function download(
  agent: Dispatcher,
  guard: Guard,
  userAgent: string,
  url: string,
  { accept, sizeMaxBytes, timeoutMs, owner = '' }: DownloadOptions,
): Promise<FetchedStream> {
  const signal = AbortSignal.timeout(timeoutMs)
  let target = guard.parse(url)
  for (let redirects = 0; ; redirects += 1) {
    await guard.prepare(target, owner).catch((error: Error) => {
      throw asFetchError(error)
    })
    const { statusCode, headers, body } = await agent
      .request({
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'GET',
        headers: { 'user-agent': userAgent, accept, 'accept-encoding': 'identity' },
        signal,
      })
      .catch((error: Error) => {
        throw asFetchError(error)
      })
    // A body that was not read to its end ends its connection.
    const refuse = (error: GatewayError): never => {
      body.on('error', () => {}).destroy()
      throw error
    }
    const location = isRedirect(statusCode) ? text(headers.location) : ''
    if (location !== '') {
      body.on('error', () => {}).destroy()
      if (redirects >= REDIRECTS_MAX) throw fetchFailed('It redirects too often.')
      target = guard.parse(URL.canParse(location, target.href) ? new URL(location, target).href : '')
      continue
    }
    if (statusCode < 200 || statusCode > 299) refuse(fetchFailed(`It answered ${statusCode}.`))
    if (Number(text(headers['content-length'])) > sizeMaxBytes) refuse(tooLarge(sizeMaxBytes))
    // Some servers compress whatever was asked for. Both sizes are bounded: a small body can hold gigabytes.
    const received = bounded(body as AsyncIterable<Uint8Array>, sizeMaxBytes)
    const decoded = decodedStream(received, text(headers['content-encoding']))
    if (decoded === undefined) return refuse(fetchFailed('It is compressed in a way that is not known.'))
    return {
      url: target.href,
      contentType: text(headers['content-type']),
      disposition: text(headers['content-disposition']),
      body: decoded === received ? received : bounded(decoded, sizeMaxBytes),
    }
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>, sizeMaxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > sizeMaxBytes) throw tooLarge(sizeMaxBytes)
      yield chunk
    }
  } catch (error) {
    throw asFetchError(error)
  }
}

const FETCH = { kind: 'request', operation: 'fetch', feature: 'network', id: '' } as const

async function request(
  agent: Dispatcher,
  guard: Guard,
  jsonReader: JsonReader,
  userAgent: string,
  options: RequestOptions,
): Promise<RequestOutcome> {
  const { url, method, body, signal, answerMaxBytes } = options
  const deadline = performance.now() + options.timeoutMs
  try {
    guard.parse(url.href)
    await guard.prepare(url, options.owner ?? '')
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return { answered: false, error: 'TIMEOUT' }
    const received = await exchange(agent, {
      url,
      method,
      headers: { ...options.headers, 'user-agent': userAgent, 'accept-encoding': 'gzip, deflate, br' },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: leftMs,
      keepBytes: answerMaxBytes,
      readBytes: answerMaxBytes,
    })
    const { statusCode, headers, cut } = received
    noteBytes({ ...FETCH, instance: options.owner ?? '' }, received.body.length)
    const decoded = await readDecoded(received.body, text(headers['content-encoding']), answerMaxBytes, cut)
    const answer = { statusCode, headers, body: decoded.data, isCut: cut || decoded.cut }
    if (options.json === undefined) return { answered: true, ...answer }
    return {
      answered: true,
      ...answer,
      json: await readJsonAnswer(jsonReader, options.owner ?? '', answer, options.json),
    }
  } catch (error) {
    return { answered: false, error: wordFor(error) }
  }
}

function text(header: string | string[] | undefined): string {
  return Array.isArray(header) ? (header[0] ?? '') : (header ?? '')
}

interface Decoded {
  readonly data: Buffer
  /** There was more than `sizeMaxBytes`. */
  readonly cut: boolean
}

/**
 * Undoes `Content-Encoding`, and stops when the result reaches `sizeMaxBytes`: a small body can hold gigabytes.
 * With `incomplete` a body that ends too early gives what it holds; else that is an error.
 */
function readDecoded(body: Buffer, encoding: string, sizeMaxBytes: number, incomplete: boolean): Promise<Decoded> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return Promise.resolve(cutTo(body, sizeMaxBytes))
  const decoder = createDecoder(name)
  if (decoder === undefined) return Promise.reject(new Error('The encoding of the body is not known.'))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const done = () => resolve(cutTo(Buffer.concat(parts), sizeMaxBytes))
    decoder
      .on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length <= sizeMaxBytes) return
        done()
        decoder.destroy()
      })
      .on('end', done)
      .on('error', (error) => (incomplete ? done() : reject(error)))
      .end(body)
  })
}

/** Undoes `Content-Encoding` while the body is read. Undefined when the encoding is not known. The caller bounds what comes out. */
function decodedStream(body: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const decoder = createDecoder(name)
  // A failure of either ends both, and the reader gets it.
  return decoder && pipeline(Readable.from(body), decoder, () => {})
}

function createDecoder(name: string) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'deflate') return createInflate()
  if (name === 'br') return createBrotliDecompress()
  return undefined
}

function cutTo(data: Buffer, sizeMaxBytes: number): Decoded {
  return data.length > sizeMaxBytes ? { data: data.subarray(0, sizeMaxBytes), cut: true } : { data, cut: false }
}
