import { request } from 'undici'
import { type Check, ok, type Result, skipped, warning } from '../finding.js'

export interface ClientVersionOptions {
  /** WA_VERSION. */
  readonly pinned: readonly number[] | undefined
  /** Version of the library. */
  readonly builtIn: readonly number[]
  /** Script of the network's own client; undefined on a network that has none. */
  readonly scriptUrl: string | undefined
  readonly timeoutMs: number
}

/** Revisions that the network made in about two months of 2026, the time for which it accepts a version. */
const REVISIONS_BEHIND_MAX = 4_000_000
const SCRIPT_BYTES_MAX = 2 * 2 ** 20

/** Compares the version that we report with the one of the network's own client. */
export function clientVersionCheck({ pinned, builtIn, scriptUrl, timeoutMs }: ClientVersionOptions): Check {
  return {
    name: 'Client version',
    async run() {
      const version = pinned ?? builtIn
      const own = `${version.join('.')} (${pinned === undefined ? 'of the library' : 'WA_VERSION'})`
      if (scriptUrl === undefined) return [skipped(`${own}; this network publishes none to compare.`)]
      const published = await readRevision(scriptUrl, timeoutMs).catch(() => undefined)
      return [resultOf(own, version, published)]
    },
  }
}

function resultOf(own: string, version: readonly number[], published: number | undefined): Result {
  if (published === undefined)
    return warning(
      `${own}; the network's own was not read.`,
      'Look whether https://web.whatsapp.com can be reached from here.',
    )
  const behind = published - (version[2] ?? 0)
  if (behind <= 0) return ok(`${own} is as new as the network's own.`)
  const text = `${own}; the network's own is 2.3000.${published}.`
  if (behind <= REVISIONS_BEHIND_MAX) return ok(text)
  return warning(text, `Old versions are refused (405): set WA_VERSION=2.3000.${published}, or update the gateway.`)
}

/** Reads the revision from the service worker of the web client, as a browser would fetch it. */
async function readRevision(url: string, timeoutMs: number): Promise<number | undefined> {
  const { statusCode, body } = await request(url, {
    headers: {
      'sec-fetch-site': 'none',
      'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
    },
    signal: AbortSignal.timeout(timeoutMs),
  })
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > SCRIPT_BYTES_MAX) break
  }
  const found = /\\?"client_revision\\?":\s*(\d{6,12})/.exec(text)?.[1]
  return statusCode === 200 && found !== undefined ? Number(found) : undefined
}
