import { unixTimestampSeconds, type WASocket } from '@whiskeysockets/baileys'
import { resolveIssuanceJid, storeTcTokensFromIqResult } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import type { SignalKeys } from '../signal-keys.js'

export interface TokenIssueOptions {
  readonly socket: Pick<WASocket, 'authState' | 'serverProps' | 'signalRepository' | 'issuePrivacyTokens'>
  readonly keys: Pick<SignalKeys, 'get' | 'setLater'>
}

/** Returns a function that issues the privacy token of the account to a person, once at a time. If that fails, the next message does it again, as in the library. */
export function tokenIssue(options: TokenIssueOptions): (to: string) => void {
  const issuing = new Set<string>()
  return (to) => {
    if (issuing.has(to)) return
    issuing.add(to)
    void issue(to, options)
      // Also when the connection has ended meanwhile.
      .catch(() => {})
      .finally(() => issuing.delete(to))
  }
}

/** Issues the token as `relayMessage` of 7.0.0-rc14 does. Stores what came of it with the next write: lost, it is issued again. */
async function issue(to: string, { socket, keys }: TokenIssueOptions): Promise<void> {
  const { lidMapping } = socket.signalRepository
  const lidOf = (number: string) => lidMapping.getLIDForPN(number)
  const numberOf = (lid: string) => lidMapping.getPNForLID(lid)
  const senderTimestamp = unixTimestampSeconds()
  const receiver = await resolveIssuanceJid(to, socket.serverProps.lidTrustedTokenIssueToLid, lidOf, numberOf)
  const result = await socket.issuePrivacyTokens([receiver], senderTimestamp)
  let { [to]: tokens } = await keys.get('tctoken', [to])
  await storeTcTokensFromIqResult({
    result,
    fallbackJid: to,
    getLIDForPN: lidOf,
    // One change instead of two: the token in the answer, and the time at which ours was issued.
    keys: {
      ...socket.authState.keys,
      get: async (kind, ids) => keys.get(kind, ids),
      set: async ({ tctoken }) => {
        tokens = tctoken?.[to] ?? tokens
      },
    },
  })
  keys.setLater({ tctoken: { [to]: { token: Buffer.alloc(0), ...tokens, senderTimestamp } } })
}
