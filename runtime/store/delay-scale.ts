/** Scale on which durations are counted: each step is a quarter longer than the one before it. Figures of several nodes can be added. */

const STEPS_PER_DOUBLING = 3
/** Two minutes and longer. */
const STEP_MAX = 51

/** Returns the step of a duration. Step 0 is a millisecond or less. */
export function delayStep(durationMs: number): number {
  if (!(durationMs > 1)) return 0
  return Math.min(STEP_MAX, Math.ceil(Math.log2(durationMs) * STEPS_PER_DOUBLING))
}

/** Returns the duration in the middle of a step, an eighth off at most. */
export function toDurationMs(step: number): number {
  return step === 0 ? 1 : 2 ** ((step - 0.5) / STEPS_PER_DOUBLING)
}
