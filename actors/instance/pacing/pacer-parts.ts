import type { AccountLimits } from '../../../schemas/account-limits.js'
import type { PacingSettings } from '../../../schemas/pacing.js'
import type { SendsContext } from '../../operations/context.js'
import type { Change } from '../ports.js'

/** The things that the pacing of an instance needs. */
export interface PacerParts {
  readonly context: Pick<SendsContext, 'id' | 'reader' | 'logger' | 'random' | 'timing' | 'wakeQueue'>
  readonly settings: PacingSettings
  /** Writes changes that belong to no send. */
  readonly write: (changes: readonly Change[]) => void
  readonly limits: {
    known(): Promise<AccountLimits>
    /** Asks the network, unless it was asked within the last minute. Never rejects, and takes a bounded time. */
    renewed(): Promise<AccountLimits>
  }
}
