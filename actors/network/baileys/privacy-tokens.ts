import type { SignalDataSet, SignalDataTypeMap } from '@whiskeysockets/baileys'
import { TC_TOKEN_INDEX_KEY as INDEX, isTcTokenExpired } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import { decodeKey } from './key-codec.js'
import type { SignalKeys } from './signal-keys.js'

const KIND = 'tctoken'
const PAGE = 500
const FIRST_PRUNE_MIN_MS = 5 * 60_000
const FIRST_PRUNE_SPREAD_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

interface PrivacyToken {
  readonly token?: Uint8Array
  readonly timestamp?: string | number
  readonly senderTimestamp?: number
}

/**
 * Hides the library's index of privacy tokens. The index is one JSON text of all JIDs, which the library reads and writes with each new person
 * (`buildMergedTcTokenIndexWrite` of 7.0.0-rc14), so a first message would cost more the more people are known. The library needs it only to
 * remove expired tokens; `prunePrivacyTokens` finds them by their rows.
 */
export function withoutTokenIndex(keys: SignalKeys): SignalKeys {
  return {
    ...keys,
    async get<T extends keyof SignalDataTypeMap>(kind: T, ids: string[]) {
      return await keys.get(kind, kind === KIND ? ids.filter((id) => id !== INDEX) : ids)
    },
    async set(data: SignalDataSet) {
      const tokens = data[KIND]
      if (tokens === undefined || !(INDEX in tokens)) return await keys.set(data)
      const { [INDEX]: _, ...others } = tokens
      await keys.set({ ...data, [KIND]: others })
    },
  }
}

export interface PruneOptions {
  readonly instance: InstanceId
  /** Keys that include the index. */
  readonly keys: Pick<SignalKeys, 'get' | 'set'>
  readonly reader: Pick<InstanceReader, 'keyPage' | 'keys'>
  readonly isClosed: () => boolean
}

/**
 * Removes the tokens that neither side may use, by the library's rule (28 days, in weeks), a page at a time. Then writes the
 * library's index if it changed: nodes of release 0.1.0 prune by it.
 *
 * If all tokens have expired, removes nothing: either the account is not used, or the clock of this node is wrong.
 */
export async function prunePrivacyTokens({ instance, keys, reader, isClosed }: PruneOptions): Promise<void> {
  const pages = () => readPages(reader, instance)
  let hasFresh = false
  for await (const page of pages()) {
    hasFresh = [...page].some(([id, bytes]) => id !== INDEX && prunedToken(decodeToken(bytes)) === undefined)
    if (hasFresh || isClosed()) break
  }
  if (!hasFresh || isClosed()) return
  const kept: string[] = []
  for await (const page of pages()) {
    if (isClosed()) return
    const ids = [...page.keys()]
    const expired = ids.filter((id) => id !== INDEX && prunedToken(decodeToken(page.get(id))) !== undefined)
    // Read again through the connection's memory: a token may have been renewed since the page was read.
    const newest = expired.length > 0 ? await keys.get(KIND, expired) : {}
    if (isClosed()) return
    const writes: Record<string, PrivacyToken | null> = {}
    for (const id of expired) {
      const pruned = prunedToken(newest[id])
      if (pruned !== undefined) writes[id] = pruned
    }
    if (Object.keys(writes).length > 0) await keys.set({ [KIND]: writes } as SignalDataSet)
    kept.push(...ids.filter((id) => id !== INDEX && writes[id] !== null))
  }
  const index = Buffer.from(JSON.stringify(kept))
  const stored = decodeToken((await reader.keys(instance, KIND, [INDEX])).get(INDEX))?.token
  if (isClosed() || (stored === undefined ? kept.length === 0 : index.equals(stored))) return
  await keys.set({ [KIND]: { [INDEX]: { token: index } } })
}

async function* readPages(reader: Pick<InstanceReader, 'keyPage'>, instance: InstanceId) {
  for (let after = ''; ; ) {
    const page = await reader.keyPage(instance, KIND, after, PAGE)
    yield page
    if (page.size < PAGE) return
    after = [...page.keys()].at(-1) ?? after
  }
}

/**
 * Prunes some time after a connection has opened, and once a day while it lasts. The first time is spread over an hour, so that a node
 * that takes over a thousand instances does not do all of it at once.
 */
export function pruneDaily(prune: () => Promise<void>, onFailure: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const after = (delayMs: number): void => {
    timer = setTimeout(() => {
      prune().catch(onFailure)
      after(DAY_MS)
    }, delayMs)
    timer.unref()
  }
  after(FIRST_PRUNE_MIN_MS + Math.random() * FIRST_PRUNE_SPREAD_MS)
  return () => clearTimeout(timer)
}

/** Returns what is left of a token: null if nothing is, undefined if it stays as it is. */
function prunedToken(entry: PrivacyToken | undefined): PrivacyToken | null | undefined {
  if (entry === undefined) return undefined
  const { token, timestamp, senderTimestamp } = entry
  const hasToken = (token?.length ?? 0) > 0
  const keepsToken = hasToken && !isTcTokenExpired(timestamp)
  const keepsSender = senderTimestamp !== undefined && !isTcTokenExpired(senderTimestamp)
  if (!keepsToken && !keepsSender) return null
  return hasToken && !keepsToken ? ({ token: Buffer.alloc(0), senderTimestamp } as PrivacyToken) : undefined
}

function decodeToken(bytes: Uint8Array | undefined): PrivacyToken | undefined {
  return bytes === undefined ? undefined : (decodeKey(KIND, bytes) as PrivacyToken)
}
