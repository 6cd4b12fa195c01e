import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import { type PeerKey, secretKey, sessionKey, UsedNumbers } from './signature.js'

/** The session of one process that calls this one. */
export interface ServedSession {
  readonly key: PeerKey
  readonly used: UsedNumbers
}

/** Maximum number of sessions, one for each calling process. A caller opens a forgotten session again. */
const SESSIONS_MAX = 1_000

/** The sessions that other processes have opened here. */
export class ServedSessions {
  /** Key of the secret itself, for greetings and for answers to callers without a session. */
  readonly ownKey: PeerKey
  readonly #sessions = new LRUCache<string, ServedSession>(entriesMax(SESSIONS_MAX))

  constructor(secret: string) {
    this.ownKey = secretKey(secret)
  }

  open(callerNonce: string): { session: string; nonce: string } {
    const session = randomBytes(12).toString('base64url')
    const nonce = randomBytes(24).toString('base64url')
    this.#sessions.set(session, { key: sessionKey(this.ownKey, callerNonce, nonce), used: new UsedNumbers() })
    return { session, nonce }
  }

  get(session: string): ServedSession | undefined {
    return this.#sessions.get(session)
  }
}
