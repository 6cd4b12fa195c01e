/** Longest time that such work keeps the event loop, in milliseconds, before other work of the node gets its turn. */
const SLICE_MS = 10

let sliceEndsAt: number | undefined

/**
 * Returns a promise of the next turn of the event loop if the work that asks here, of all accounts together, has used up its time in this one; else
 * undefined. Work that only waits for promises never leaves the turn by itself: a thousand steps of it block the node.
 */
export function nextLoopSlice(): Promise<void> | undefined {
  if (sliceEndsAt === undefined) {
    sliceEndsAt = performance.now() + SLICE_MS
    setImmediate(() => {
      sliceEndsAt = undefined
    })
    return undefined
  }
  if (performance.now() < sliceEndsAt) return undefined
  return new Promise((resolve) => setImmediate(resolve))
}
