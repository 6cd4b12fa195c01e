export interface OperationTiming {
  /** Maximum time that a call waits for a connection or a move of its instance. */
  readonly parkTimeoutMs: number
  /** Maximum time that a call waits for the network's acknowledgement. A send with a longer delay is answered as `queued`. */
  readonly ackTimeoutMs: number
  /** Maximum time for which typing or recording is shown. */
  readonly presenceMaxMs: number
  /** Messages that were not sent within this time are given up. */
  readonly sendMaxAgeMs: number
  /** Time between two queued sends: between these two, at random. */
  readonly pacingMinMs: number
  readonly pacingMaxMs: number
  /** True if reactions to messages of the account itself are taken. Default: false. */
  readonly reactsToOwn?: boolean
  /** Time between a scheduled send and the next queued one. */
  readonly scheduledPacingMinMs: number
  readonly scheduledPacingMaxMs: number
  /** Maximum of queued sends of one instance. Further ones are refused. */
  readonly queueMax: number
  /** Maximum of scheduled sends of an instance. */
  readonly scheduleMax: number
  /** Maximum of numbers that campaigns of an instance look up. */
  readonly numberChecks: CheckLimits
}

/** Look-ups of numbers. */
export interface CheckLimits {
  /** Look-ups of one instance on a UTC day, and in a minute; 0: no limit. */
  readonly perDay: number
  readonly perMinute: number
}
