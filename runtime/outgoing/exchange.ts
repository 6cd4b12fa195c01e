import type { Dispatcher } from 'undici'

export interface ExchangeOptions {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
  readonly timeoutMs: number
  /** Ends the exchange and its connection. */
  readonly signal?: AbortSignal
  /** Maximum of bytes of the answer's body in memory. */
  readonly keepBytes: number
  /** Maximum of bytes of the answer's body that are read. After them the connection is cut and the answer counts as complete. */
  readonly readBytes: number
  /**
   * Set where the status is the answer: the body is read for this time at most after the head, and one that ends badly or not at all counts
   * as read.
   */
  readonly bodyMs?: number
}

export interface HttpAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The body was longer than `readBytes`, or, with `bodyMs`, did not come to its end. */
  readonly cut: boolean
}

/** The answer did not come, or not to its end, within the time given. */
class TimedOut extends Error {
  readonly code = 'TIMEOUT'
}

/** The caller ended the exchange. */
class Aborted extends Error {
  readonly code = 'ABORTED'
}

/**
 * Sends one request and collects its answer, on undici's lowest level: no stream and no abort signal is made, since webhooks are sent by the
 * thousand. Settles by the time-out at the latest, also when no connection comes free.
 */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    let statusCode = 0
    let headers: HttpAnswer['headers'] = {}
    let readBytes = 0
    let keptBytes = 0
    const kept: Buffer[] = []
    let timer = setTimeout(() => fail(new TimedOut('No complete answer in time.')), options.timeoutMs)
    const abort = () => fail(new Aborted('The caller ended the exchange.'))
    options.signal?.addEventListener('abort', abort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (settled) started.abort(new TimedOut('Too late.'))
      },
      onResponseStart(_, status, received) {
        statusCode = status
        headers = received
        if (settled || options.bodyMs === undefined || status < 200) return
        // Its bytes would be taken for the answer to the next request.
        if (isBodyOutOfPlace(status, received)) return finish(true)
        clearTimeout(timer)
        timer = setTimeout(() => finish(true), options.bodyMs)
      },
      onResponseData(_, chunk) {
        if (settled) return
        readBytes += chunk.length
        if (keptBytes < options.keepBytes) {
          // A copy, since a slice would keep the parser's whole buffer alive.
          const part = Buffer.from(chunk.subarray(0, options.keepBytes - keptBytes))
          kept.push(part)
          keptBytes += part.length
        }
        if (readBytes > options.readBytes) finish(true)
      },
      onResponseEnd: () => finish(false),
      onResponseError: (_, error) => (options.bodyMs !== undefined && statusCode >= 200 ? finish(true) : fail(error)),
    }
    if (options.signal?.aborted === true) return abort()
    try {
      dispatcher.dispatch(
        {
          origin: options.url.origin,
          path: options.url.pathname + options.url.search,
          method: options.method,
          headers: options.headers,
          body: (options.body ?? null) as string | Buffer | null,
        },
        handler,
      )
    } catch (error) {
      fail(error as Error)
    }

    function finish(cut: boolean): void {
      if (settled) return
      settle()
      if (cut) controller?.abort(new Error('The rest of the answer is not read.'))
      resolve({ statusCode, headers, body: Buffer.concat(kept), cut })
    }

    function fail(error: Error): void {
      if (settled) return
      settle()
      controller?.abort(error)
      reject(error)
    }

    function settle(): void {
      settled = true
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', abort)
    }
  })
}

/** Returns true when the head announces a body that an answer of this status cannot have. */
function isBodyOutOfPlace(status: number, headers: HttpAnswer['headers']): boolean {
  if (status !== 204 && status !== 304) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
