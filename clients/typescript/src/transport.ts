/** Makes the calls of the generated operations: token, time limit, retries, `Idempotency-Key`. */
import { createError, PosthornError } from './error.js'
import { pause } from './pause.js'

export interface TransportOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly retriesMax: number
  readonly waitMaxMs: number
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Limit of one attempt. Default: that of the client. */
  readonly timeoutMs?: number
  /** Retries after the first attempt. Default: that of the client. */
  readonly retriesMax?: number
  readonly headers?: Readonly<Record<string, string>>
}

type Headers = Readonly<Record<string, string | undefined>>

interface Call extends Omit<CallOptions, 'headers'> {
  readonly method?: string
  readonly body?: string | undefined
  readonly headers?: Headers
  /** Changes nothing, whatever its method. */
  readonly reads?: boolean
}

interface Answer<Data> {
  readonly data: Data
}

type Read<Data> = (response: Response) => Promise<Data>

const KEY = 'Idempotency-Key'
const BACK_OFF_MIN_MS = 250
const BACK_OFF_MAX_MS = 10_000

export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** Resolves with the answer of a call. Its type is that of the successful answers in the document. */
  fetchJson<Success extends { readonly status: number; readonly data?: unknown }>(
    path: string,
    call: Call = {},
  ): Promise<Success> {
    return this.#repeat(path, call, readJson) as Promise<unknown> as Promise<Success>
  }

  fetchText(path: string, call: Call = {}): Promise<{ readonly data: string }> {
    return this.#repeat(path, call, (response) => response.text())
  }

  fetchBlob<Success extends { readonly status: number; readonly data?: unknown }>(
    path: string,
    call: Call = {},
  ): Promise<Success> {
    const read: Read<Blob | undefined> = async (response) => (response.status === 204 ? undefined : response.blob())
    return this.#repeat(path, call, read) as Promise<unknown> as Promise<Success>
  }

  /** Returns the data of an answer; undefined for an answer without a body. */
  async ok<Success extends { readonly status: number; readonly data?: unknown } | { readonly data: unknown }>(
    answer: Promise<Success>,
  ): Promise<Success extends { readonly data: infer Data } ? Data : undefined> {
    return (await (answer as Promise<{ readonly data?: unknown }>)).data as never
  }

  mergeHeaders(first: Headers | undefined, second: Headers): Headers {
    return { ...first, ...second }
  }

  json<Body>(call: Omit<Call, 'body'> & { readonly body?: Body }): Call {
    const { body, ...rest } = call
    return {
      ...rest,
      headers: { 'Content-Type': 'application/json', ...call.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  /** Repeats a call as far as the error says that a repetition cannot do something twice. */
  async #repeat<Data>(path: string, call: Call, read: Read<Data>): Promise<Answer<Data>> {
    const headers = this.#createHeaders(call)
    const isRepeatable = (call.method ?? 'GET') === 'GET' || call.reads === true || headers[KEY] !== undefined
    const retriesMax = call.retriesMax ?? this.#options.retriesMax
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once(path, { ...call, headers }, read)
      } catch (error) {
        const waitMs = attempt < retriesMax ? this.#waitMs(error, attempt, isRepeatable) : undefined
        if (waitMs === undefined) throw error
        await pause(waitMs, call.signal)
      }
    }
  }

  /** Returns the time until the next attempt, or undefined if the caller has to decide. */
  #waitMs(error: unknown, attempt: number, isRepeatable: boolean): number | undefined {
    if (!(error instanceof PosthornError)) return undefined
    const { retry, status, retryAfterMs } = error
    const isSafe = retry === 'safe' || (retry === 'check' && isRepeatable)
    // A rate limit refuses before anything is done.
    if (!isSafe && !(status === 429 && retryAfterMs !== undefined)) return undefined
    const backOffMs = Math.min(BACK_OFF_MAX_MS, BACK_OFF_MIN_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
    const waitMs = Math.max(backOffMs, retryAfterMs ?? 0)
    return waitMs <= this.#options.waitMaxMs ? waitMs : undefined
  }

  async #once<Data>(path: string, call: Call, read: Read<Data>): Promise<Answer<Data>> {
    const { method = 'GET', body, headers, signal, timeoutMs = this.#options.timeoutMs } = call
    signal?.throwIfAborted()
    const controller = new AbortController()
    const forward = (): void => controller.abort(signal?.reason)
    signal?.addEventListener('abort', forward, { once: true })
    const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
    try {
      const response = await this.#options.fetch(this.#options.url + path, {
        method,
        headers: headers as Record<string, string>,
        signal: controller.signal,
        // Not 'error', which edge runtimes refuse. A redirect is not followed: it would carry the token to another address.
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      })
      if (!response.ok) throw createError(response, await response.text())
      return { data: await read(response) }
    } catch (cause) {
      if (cause instanceof PosthornError) throw cause
      signal?.throwIfAborted()
      const reason: unknown = controller.signal.aborted ? controller.signal.reason : cause
      const message = reason instanceof Error ? reason.message : 'No answer.'
      throw new PosthornError({ status: 0, code: 'NO_ANSWER', message, cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', forward)
    }
  }

  /** Makes a key if the operation takes one and the caller gave none. All attempts carry the same. */
  #createHeaders({ headers = {} }: Call): Record<string, string> {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >
    const key = KEY in headers ? { [KEY]: given[KEY] ?? newKey() } : {}
    return { ...this.#options.headers, ...given, ...key }
  }
}

/** Parses a success. An answer of something else on the way is an error, although its status is 200. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch (cause) {
    const message = 'The answer is not JSON: check that the address is that of the gateway.'
    throw new PosthornError({ status: response.status, code: 'NOT_POSTHORN', message, cause })
  }
}

/** `crypto.randomUUID` is missing in pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
