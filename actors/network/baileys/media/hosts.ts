import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici'

export interface MediaHostOptions {
  /** Host (and port) of the media servers of a network other than the real one; null for the real one. */
  readonly mediaHost: string | null
  /** The host of the network's websocket when it is not the real one; it may serve media too, on any port. */
  readonly networkHost: string | null
  /** PEM, the certificate authority of that host. */
  readonly certificateAuthority: string | undefined
}

/** Where media of the network may be sent to and fetched from, and how. */
export interface MediaHosts {
  /** The address that is really used. @throws Error when it is not one of the network */
  admit(url: string | URL): URL
  readonly dispatcher: Dispatcher
}

const CONNECT_TIMEOUT_MS = 10_000

/** Uploads and downloads go only to the network's own hosts or to the configured one, whatever host a received message names. */
export function createMediaHosts({ mediaHost, networkHost, certificateAuthority }: MediaHostOptions): MediaHosts {
  return {
    admit(given) {
      const url = new URL(given)
      if (mediaHost !== null) url.host = mediaHost
      else if (url.hostname !== networkHost && !/(^|\.)whatsapp\.(net|com)$/.test(url.hostname))
        throw new Error(`Media of the network are not fetched from ${url.hostname}.`)
      if (url.protocol !== 'https:') throw new Error('Media of the network are only fetched by https.')
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

/** Holds the network library to these hosts: it takes the process's `fetch`, and nothing else of ours does. */
export function guardLibraryFetch({ admit, dispatcher }: MediaHosts): void {
  globalThis.fetch = (async (input: string | URL | Request, init?: RequestInit) => {
    const url = admit(typeof input === 'string' || input instanceof URL ? input : input.url)
    return await undiciFetch(url, { ...(init as object), dispatcher })
  }) as unknown as typeof globalThis.fetch
}
