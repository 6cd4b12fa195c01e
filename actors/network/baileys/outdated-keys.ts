import { SenderKeyRecord } from '@whiskeysockets/baileys/lib/Signal/Group/index.js'

/** The part of a stored session record that says which session encrypts. */
interface SessionRecord {
  readonly _sessions?: Readonly<Record<string, { readonly indexInfo?: { created?: number; closed?: number } }>>
}

const OPEN = -1
/** More messages than a group gets in a span that a store loses. Receivers keep that many keys, and take at most 2,000. */
const GROUP_STEPS = 500
/** Time after the store went back in which the key of a group may still be behind. */
const GROUP_MS = 24 * 60 * 60_000

/**
 * Changes keys that the store had when it went back in time. Their ratchets may be behind: another message under a key that was used already
 * would be dropped by the other side. Sessions from before that moment encrypt nothing more, so that the next message begins a new one, once
 * for each contact; they still decrypt. The account's own key of a group skips some steps.
 * @param backAtMs 0: the store never went back
 */
export function renewOutdated(kind: string, value: unknown, backAtMs: number): unknown {
  if (backAtMs === 0 || value === null) return value
  if (kind === 'session') closeSessions(value as SessionRecord, backAtMs)
  if (kind === 'sender-key' && value instanceof Uint8Array && Date.now() - backAtMs < GROUP_MS) return skipSteps(value)
  return value
}

function closeSessions({ _sessions: sessions = {} }: SessionRecord, backAtMs: number): void {
  for (const { indexInfo } of Object.values(sessions))
    if (indexInfo?.closed === OPEN && (indexInfo.created ?? 0) < backAtMs) indexInfo.closed = Date.now()
}

function skipSteps(bytes: Uint8Array): Uint8Array {
  const record = SenderKeyRecord.deserialize(bytes)
  const state = record.getSenderKeyState()
  // Only the own key can sign.
  if (state === undefined || (state.getSigningKeyPrivate()?.length ?? 0) === 0) return bytes
  let chain = state.getSenderChainKey()
  for (let step = 0; step < GROUP_STEPS; step += 1) chain = chain.getNext()
  state.setSenderChainKey(chain)
  return Buffer.from(JSON.stringify(record.serialize()))
}
