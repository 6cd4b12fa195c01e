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
}

export interface HttpAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The body was longer than `readBytes`. */
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
    const timer = setTimeout(() => fail(new TimedOut('No complete answer in time.')), options.timeoutMs)
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
      onResponseError: (_, error) => fail(error),
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
      if (cut) controller?.abort(new Error('The answer is longer than we read.'))
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
