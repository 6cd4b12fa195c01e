/** One request and its answer over a pool, and how it failed when it did: above all whether anything of it can have arrived. */
import type { Dispatcher } from 'undici'

export interface ExchangeOptions {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Without an answer or another sign of life for so long it is given up. */
  readonly silenceMs: number
  readonly answerMaxBytes: number
  /** The other side says that it is at work (102). */
  readonly onSignOfLife?: () => void
}

export interface Answered {
  readonly type: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/**
 * `refused`: nobody listens at the address. `unreachable`: there is no connection for another reason. `reset`: it broke. `silent`: no
 * sign of life. `late`: no answer within the time. `aborted`: by the caller. `garbled`: no answer of a node of ours.
 */
export type LostWhy = 'refused' | 'unreachable' | 'reset' | 'silent' | 'late' | 'aborted' | 'garbled'

export interface Lost {
  readonly type: 'lost'
  readonly why: LostWhy
  /** False: surely nothing of the request has left, so nothing was done. */
  readonly wasSent: boolean
}

export interface Exchange {
  /** Never rejects. */
  readonly outcome: Promise<Answered | Lost>
  abort(): void
}

/** The answer's body is taken as a whole. */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Exchange {
  let controller: Dispatcher.DispatchController | undefined
  let settle: (outcome: Answered | Lost) => void = () => {}
  let isSettled = false
  let wasSent = false
  let status = 0
  let headers: Answered['headers'] = {}
  const parts: Buffer[] = []
  let bytes = 0

  const outcome = new Promise<Answered | Lost>((resolve) => {
    settle = (what) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(late)
      clearTimeout(silent)
      resolve(what)
    }
  })
  const late = setTimeout(() => giveUp('late'), options.timeoutMs)
  const silent =
    options.silenceMs < options.timeoutMs ? setTimeout(() => giveUp('silent'), options.silenceMs) : undefined

  function giveUp(why: LostWhy): void {
    if (isSettled) return
    settle({ type: 'lost', why, wasSent })
    // One that still waits for its connection is stopped when it gets it.
    controller?.abort(new Error(why))
  }

  dispatcher.dispatch(
    { method: options.method, path: options.path, headers: options.headers, body: options.body },
    {
      // Called before the first byte is written.
      onRequestStart(given) {
        controller = given
        if (isSettled) given.abort(new Error('given up'))
        else wasSent = true
      },
      onResponseStart(_controller, statusCode, given) {
        if (isSettled) return
        if (statusCode < 200) {
          silent?.refresh()
          options.onSignOfLife?.()
          return
        }
        status = statusCode
        headers = given
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length
        if (bytes > options.answerMaxBytes) giveUp('garbled')
        else parts.push(chunk)
      },
      onResponseEnd() {
        const body = (parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)).toString()
        settle({ type: 'answered', status, headers, body })
      },
      onResponseError(_controller, error) {
        settle({ type: 'lost', why: whyOf(error, wasSent), wasSent })
      },
    },
  )
  return { outcome, abort: () => giveUp('aborted') }
}

function whyOf(error: Error, wasSent: boolean): LostWhy {
  if (wasSent) return 'reset'
  return codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'unreachable'
}

/** Where a name has several addresses, each has its own error. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    const codes = new Set(error.errors.map(codeOf))
    return codes.size === 1 ? [...codes][0] : undefined
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
