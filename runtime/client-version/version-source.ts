/** The revision that the network's own web client has at present, as its service worker names it. */
import type { Outgoing } from '../outgoing/client.js'

// Bound: 1,048,576, a page that is cut.

export interface VersionSource {
  /** @throws Error with a sentence, if the source does not answer or its answer has no such number */
  read(): Promise<number>
}

const PATH = '/sw.js'
const SIZE_MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 20_000
// Without these two headers the network answers 400 (WhiskeySockets/Baileys issue 1929).
export const BROWSER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const HEADERS = { 'sec-fetch-site': 'none' }
/** Matches the number in JSON, and in JSON within a string. */
const REVISION = /\\?"client_revision\\?"\s*:\s*(\d{1,15})(?!\d)/g

export function createVersionSource(websocketUrl: string, outgoing: Pick<Outgoing, 'get'>): VersionSource {
  const url = formatSourceUrl(websocketUrl)
  return {
    async read() {
      const { body } = await outgoing.get(url, {
        accept: '*/*',
        headers: HEADERS,
        sizeMaxBytes: SIZE_MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        // Another place is not the network's own source.
        redirectsMax: 0,
      })
      return revisionIn(body.toString('utf8'))
    },
  }
}

/** Returns the address of the service worker of the network that has this websocket. */
export function formatSourceUrl(websocketUrl: string): string {
  const url = new URL(websocketUrl)
  return `${url.protocol === 'ws:' ? 'http' : 'https'}://${url.host}${PATH}`
}

/** @throws Error unless the text names exactly one revision */
export function revisionIn(text: string): number {
  const found = new Set([...text.matchAll(REVISION)].map(([, digits]) => Number(digits)))
  const [revision] = found
  if (revision === undefined) throw new Error('The answer of the version source names no client_revision.')
  if (found.size > 1) throw new Error('The answer of the version source names several revisions.')
  return revision
}
