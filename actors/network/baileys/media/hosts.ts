import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici'

// Bound: 65,536, a text or attribute of a stanza.

export interface MediaHostOptions {
  /** Host (and port) of the media servers of a test network; null for the real one. */
  readonly mediaHost: string | null
  /** Host of a test network's websocket, which may serve media too, on any port; null for the real network. */
  readonly networkHost: string | null
  /** Certificate authority of that host, in PEM. */
  readonly certificateAuthority: string | undefined
}

/** Hosts for uploads and downloads of media. */
export interface MediaHosts {
  /** Returns the address to use. @throws Error when it does not belong to the network */
  admit(url: string | URL): URL
  readonly dispatcher: Dispatcher
}

const CONNECT_TIMEOUT_MS = 10_000

/** Allows the network's own hosts and the configured one only, whatever host a received message names. */
export function createMediaHosts({ mediaHost, networkHost, certificateAuthority }: MediaHostOptions): MediaHosts {
  return {
    admit(given) {
      const url = new URL(given)
      if (mediaHost !== null) url.host = mediaHost
      else if (url.hostname !== networkHost && !/(^|\.)whatsapp\.(net|com)$/.test(url.hostname))
        throw new Error(`Media of WhatsApp are not fetched from ${url.hostname}.`)
      if (url.protocol !== 'https:') throw new Error('Media of WhatsApp are fetched over https only.')
      return url
    },
    dispatcher: new Agent({
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
      },
    }),
  }
}

/**
 * Restricts the network library to these hosts, and to the routes of accounts: a request without the dispatcher of a route is refused, since
 * it would leave beside the proxy of its account. The library uses the process's `fetch`, which nothing else in the gateway does.
 */
export function guardLibraryFetch({ admit }: MediaHosts): void {
  globalThis.fetch = (async (input: string | URL | Request, init?: RequestInit & { dispatcher?: Dispatcher }) => {
    const url = admit(typeof input === 'string' || input instanceof URL ? input : input.url)
    const dispatcher = init?.dispatcher
    if (dispatcher === undefined) throw new Error('A request of the WhatsApp library has no route.')
    return await undiciFetch(url, { ...(init as object), dispatcher })
  }) as unknown as typeof globalThis.fetch
}
