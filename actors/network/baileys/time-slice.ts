/** Longest time that Signal operations keep the event loop, in milliseconds, before other work of the node gets its turn. */
const SLICE_MS = 10

let sliceEndsAt: number | undefined

/**
 * Returns a promise of the next turn of the event loop if the Signal operations of this turn, of all accounts together, have used up
 * their time. Operations that only wait for promises never leave the turn by themselves: a thousand of them block the node.
 */
export function nextSlice(now: () => number = () => performance.now()): Promise<void> | undefined {
  if (sliceEndsAt === undefined) {
    sliceEndsAt = now() + SLICE_MS
    setImmediate(() => {
      sliceEndsAt = undefined
    })
    return undefined
  }
  if (now() < sliceEndsAt) return undefined
  return new Promise((resolve) => setImmediate(resolve))
}
