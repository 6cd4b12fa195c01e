/** Types only. */

/** The turns of one instance among those of all instances of a node. */
export interface BrakedSteps {
  /**
   * Returns true if a turn may begin now. Otherwise the instance waits behind the others that wait: the brake calls `go` when its turn has
   * come, and the next call returns true.
   */
  takes(): boolean
  /** Time for which the last turn waited. */
  readonly waitedMs: number
  /** Waits no more. */
  leave(): void
}

/** Slows down the campaigns of all instances of a node together. */
export interface CampaignBrake {
  /** @param go called when the turn of this instance has come after it had to wait */
  createSteps(go: () => void): BrakedSteps
}
