/** The first delivery of a lane, on which all others of the lane wait. */

export interface LaneHead {
  /** Failed attempts so far. */
  readonly attempts: number
  /** Time until its next attempt, by the clock of the store. 0 or less when it is due. */
  readonly dueInMs: number
  /** Error of its last attempt; empty when there was none. */
  readonly lastError: string
}

/** Beginning of the error of a refusal (4xx), as `judge` writes it. */
const REFUSED = 'The receiver answered 4'

/**
 * Returns the time until the next attempt of the head of a lane; 0 when it is due.
 * @param ceilingMs longest delay that the retry policy gives
 */
export function remainingWaitMs(
  { attempts, dueInMs }: Pick<LaneHead, 'attempts' | 'dueInMs'>,
  ceilingMs: number,
): number {
  // Nodes of release 0.1.0 write times of their own clocks, and the database may have got another clock.
  return attempts === 0 || dueInMs > ceilingMs ? 0 : Math.max(0, dueInMs)
}

/**
 * Returns the receiver whose return lets a lane be tried before its time. After a refusal there is none: the delivery has nothing to gain
 * from that.
 */
export function awaitedReceiver({ lastError }: Pick<LaneHead, 'lastError'>, url: string | undefined) {
  return lastError.startsWith(REFUSED) ? undefined : url
}
