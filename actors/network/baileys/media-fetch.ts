import { Agent, fetch as undiciFetch } from 'undici'

export interface MediaOptions {
  /** Host (and port) of the media servers of a network other than the real one; null for the real one. */
  readonly mediaHost: string | null
  /** The host of the network's websocket when it is not the real one; it may serve media too, on any port. */
  readonly networkHost: string | null
  /** PEM, the certificate authority of that host. */
  readonly certificateAuthority: string | undefined
}

/**
 * Makes every download and upload of the network library go to the network's own hosts or to the configured one, whatever host a
 * received message names. The library takes the process's `fetch` and nothing else of ours does, so this is where it is held.
 */
export function guardMediaFetch({ mediaHost, networkHost, certificateAuthority }: MediaOptions): void {
  const agent = new Agent({ connect: certificateAuthority === undefined ? {} : { ca: certificateAuthority } })
  globalThis.fetch = (async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url)
    if (mediaHost !== null) url.host = mediaHost
    else if (url.hostname !== networkHost && !/(^|\.)whatsapp\.(net|com)$/.test(url.hostname))
      throw new Error(`Media of the network are not fetched from ${url.hostname}.`)
    if (url.protocol !== 'https:') throw new Error('Media of the network are only fetched by https.')
    return await undiciFetch(url, { ...(init as object), dispatcher: agent })
  }) as unknown as typeof globalThis.fetch
}
