/** Restrictions of the account by the network. Types only. */
import type { NewChatCap, ReachoutLock } from '../../../schemas/account-limits.js'

export interface LimitsNetwork {
  /** Asks the network for the restrictions of the account. A look-up that fails leaves its part null, and its code in `errors`. */
  fetch(): Promise<FetchedLimits>
}

export interface FetchedLimits {
  readonly reachout: ReachoutLock | null
  readonly cap: NewChatCap | null
  readonly errors: { readonly reachout?: string; readonly cap?: string }
}

/** The network has told of a restriction by itself. */
export interface LimitsEvent {
  readonly type: 'limits'
  readonly reachout?: ReachoutLock
  readonly cap?: NewChatCap
}
