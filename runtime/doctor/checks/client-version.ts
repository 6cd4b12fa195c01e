import { request } from 'undici'
import type { UsableRevisions } from '../../client-version/known-versions.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

// Ours: answers of our own stores and settings.

export interface ClientVersionOptions {
  /** WA_VERSION. */
  readonly pinned: readonly number[] | undefined
  /** Version of the library. */
  readonly builtIn: readonly [number, number, number]
  /** Versions that the nodes of the cluster share; undefined without a database that runs. */
  readonly shared: Promise<UsableRevisions> | undefined
  /** Script of the network's own client; undefined on a network that has none. */
  readonly scriptUrl: string | undefined
  readonly timeoutMs: number
}

/** Revisions that the network made in about two months of 2026, the time for which it accepts a version. */
const REVISIONS_BEHIND_MAX = 4_000_000
const SCRIPT_BYTES_MAX = 2 * 2 ** 20

/** Compares the version that we report with the one of the network's own client. */
export function clientVersionCheck(options: ClientVersionOptions): Check {
  // Another check reports a database that is away.
  options.shared?.catch(() => {})
  return {
    name: 'Client version',
    async run() {
      const reported = await reportedVersion(options)
      const { scriptUrl, timeoutMs } = options
      const published =
        scriptUrl === undefined ? undefined : await readRevision(scriptUrl, timeoutMs).catch(() => undefined)
      if (reported.isRefused) return [refusal(reported, published)]
      if (scriptUrl === undefined) return [skipped(`${reported.text}; this network publishes none to compare.`)]
      return [comparison(reported, published)]
    },
  }
}

/** Version that logins report. */
interface ReportedVersion {
  readonly revision: number
  readonly text: string
  /** True if the nodes look for a newer one by themselves. */
  readonly isKept: boolean
  readonly isRefused: boolean
}

async function reportedVersion({ pinned, builtIn, shared }: ClientVersionOptions): Promise<ReportedVersion> {
  if (pinned !== undefined)
    return { revision: pinned[2] ?? 0, text: `${pinned.join('.')} (WA_VERSION)`, isKept: false, isRefused: false }
  const [first, second, own] = builtIn
  const known = await shared?.catch(() => undefined)
  const { usual = own, toTry, isRefused = false } = known ?? {}
  const origin = usual === own ? 'of the library' : 'of the cluster'
  const next = toTry === undefined ? '' : `, ${first}.${second}.${toTry} is tried next`
  const text = `${first}.${second}.${usual} (${origin}${next})`
  return { revision: usual, text, isKept: known !== undefined, isRefused }
}

function refusal({ text }: ReportedVersion, published: number | undefined): Result {
  const newest = published === undefined ? 'a newer version' : `2.3000.${published}`
  return failed(
    `${text}; WhatsApp has refused it (405), and the cluster knows no newer one.`,
    `The row client-version of the table cluster_job says why the source gave none. Set WA_VERSION to ${newest} until then.`,
  )
}

function comparison({ text: own, revision, isKept }: ReportedVersion, published: number | undefined): Result {
  if (published === undefined)
    return warning(
      `${own}; WhatsApp's own was not read.`,
      'Look whether https://web.whatsapp.com can be reached from here.',
    )
  const behind = published - revision
  if (behind <= 0) return ok(`${own} is as new as WhatsApp's own.`)
  const text = `${own}; WhatsApp's own is 2.3000.${published}.`
  if (behind <= REVISIONS_BEHIND_MAX) return ok(text)
  const cause = isKept
    ? 'A running gateway asks for it once a day: the row client-version of the table cluster_job says why it has it not'
    : 'Old versions are refused (405)'
  return warning(text, `${cause}. Set WA_VERSION=2.3000.${published}, or update the gateway.`)
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
