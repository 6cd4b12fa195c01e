import type { Logger } from 'pino'
import type { AccountLimits } from '../../../schemas/account-limits.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { PacingSettings } from '../../../schemas/pacing.js'
import type { InstanceReader } from '../instance-reader.js'
import type { OperationTiming } from '../operation-timing.js'
import type { Change } from '../ports.js'

/** The things that the pacing of an instance needs. */
export interface PacerParts {
  readonly context: {
    readonly id: InstanceId
    readonly reader: InstanceReader
    readonly logger: Logger
    /** Returns a number between 0 and 1. */
    readonly random: () => number
    readonly timing: OperationTiming
    readonly wakeQueue: () => void
  }
  readonly settings: PacingSettings
  /** Writes changes that belong to no send. */
  readonly write: (changes: readonly Change[]) => void
  readonly limits: {
    known(): Promise<AccountLimits>
    /** Asks the network, unless it was asked within the last minute. Never rejects, and takes a bounded time. */
    renewed(): Promise<AccountLimits>
  }
}

/** Settings of the owner of an instance. Null: as the installation has it. */
export interface OwnSettings {
  delayMinMs: number | null
  delayMaxMs: number | null
  inUseSinceMs: number | null
  /** `inUseSinceMs` of the account that is being paired. */
  offeredSinceMs: number | null
  pairedAtMs: number | null
  readonly createdAtMs: number
}

/** Returns the time since which the number is in use. */
export function findSinceMs({ inUseSinceMs, pairedAtMs, createdAtMs }: OwnSettings): number {
  return inUseSinceMs ?? pairedAtMs ?? createdAtMs
}
