import { EventStream } from './event-stream.js'
import { type EventKind, type MessageFilter, Operations } from './generated.js'
import { Transport } from './transport.js'

interface CommonOptions {
  /** Address of the gateway, such as `https://gateway.example`. */
  readonly url: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Limit of one attempt. Default: 60 seconds. */
  readonly timeoutMs?: number
  /** Retries after the first attempt. Default: 3. */
  readonly retriesMax?: number
  /** Longest wait before one retry. If the gateway asks for more, the call fails with its error. Default: 30 seconds. */
  readonly waitMaxMs?: number
}

/** Address and token. `token` is that of an instance, or one of its keys. */
export type ClientOptions = CommonOptions &
  ({ readonly token: string; readonly adminToken?: never } | { readonly adminToken: string; readonly token?: never })

/** The gateway's database went back in time: what it stored between two times may be missing. A null time is not known. */
export interface StoreLoss {
  /** Number of the era that began then. */
  readonly era: number
  readonly cause: 'failover' | 'restore'
  readonly noticedAt: string
  readonly noticedBy: string
  readonly lostFrom: string | null
  readonly lostUntil: string | null
}

/** The gateway's database went back in time, and does not have all events of a stream. A null time is not known. */
export interface StreamReset {
  /** Number of the present era. */
  readonly era: number
  readonly lostFrom: string | null
  readonly lostUntil: string | null
  /** What to do. */
  readonly advice: string
}

export interface EventOptions {
  /** Kinds of events. Default: all, also those that newer gateways add. */
  readonly kinds?: readonly EventKind[]
  readonly excludeMessages?: readonly MessageFilter[]
  /** Id after which the stream begins, from `lastEventId` of an earlier stream. Default: events from now on. */
  readonly from?: string
  /** Ends the stream. The loop ends without an error. */
  readonly signal?: AbortSignal
  /** Silence after which a connection counts as lost. Must be more than twice `SSE_HEARTBEAT_MS` of the gateway. Default: 60 seconds. */
  readonly silenceMs?: number
  /** Called with sentences of the gateway about this stream, such as kinds of events that it does not know. */
  readonly onWarnings?: (warnings: readonly string[]) => void
  /** Called on streams of administrators when the gateway's database went back in time. */
  readonly onStoreWentBack?: (loss: StoreLoss) => void
  /** Called when the gateway's database went back in time and lost events that this stream had. What you keep of them must be read again. */
  readonly onReset?: (reset: StreamReset) => void
  /** Called when a connection opens. */
  readonly onOpen?: () => void
  /** Called when a connection ends and the stream will connect again. */
  readonly onLost?: (error: unknown) => void
}

/** All operations of the gateway as methods, and the stream of its events. */
export class Posthorn extends Operations {
  readonly #options: ClientOptions
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    const url = options.url.replace(/\/+$/, '')
    if (!/^https?:\/\//.test(url)) throw new TypeError('url must begin with http:// or https://.')
    const { token, adminToken, timeoutMs = 60_000, retriesMax = 3, waitMaxMs = 30_000 } = options
    if (!token && !adminToken) throw new TypeError('token or adminToken is missing.')
    const headers: Record<string, string> = token ? { token } : { admintoken: adminToken as string }
    // The global one must not be called as a method.
    const call: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
    super(new Transport({ url, headers, fetch: call, timeoutMs, retriesMax, waitMaxMs }))
    this.#options = options
    this.#url = url
    this.#headers = headers
    this.#fetch = call
  }

  /** Returns a client of the same gateway with the token of an instance. */
  withToken(token: string): Posthorn {
    const { adminToken: _, ...common } = this.#options
    return new Posthorn({ ...common, token })
  }

  /** Follows the events, through lost connections and restarts, without gaps. With `adminToken`: those of all instances. */
  events(options: EventOptions = {}): EventStream {
    return new EventStream({ ...options, url: this.#url, headers: this.#headers, fetch: this.#fetch })
  }
}

/** @throws TypeError if the address or the token is missing */
export function createPosthorn(options: ClientOptions): Posthorn {
  return new Posthorn(options)
}
