/** Types only. */

import type { Abortion } from './abortion.js'
import type { Answered, LostCall } from './answer.js'

export interface LinkOptions {
  readonly connectTimeoutMs: number
  readonly silenceMs: number
  readonly bodyMaxBytes: number
  readonly answerMaxBytes: number
}

export interface PeerRequest {
  readonly path: string
  readonly body: string
  readonly timeoutMs: number
  readonly silenceMs?: number
  readonly onSignOfLife?: () => void
}

/** The way to one process, opened when it is needed and kept. */
export interface Link {
  /** Number of calls under way. */
  inFlight: number
  /** Sends one request. Never rejects. Requests over an open wire leave in the order of these calls. */
  request(request: PeerRequest, abortion: Abortion): Promise<Answered | LostCall>
  /** Ends the wire with the last call that is under way. */
  retire(): void
  /** Ends the wire. Calls under way are lost. */
  destroy(): void
}
