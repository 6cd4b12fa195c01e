/** The time of a simulated world: what is to happen, in order; and chance, from a seed. */

export interface Timeline {
  /** True time, which no node can see. */
  readonly nowMs: number
  at(delayMs: number, happen: () => void): void
  /** Lets everything happen that is due before `untilMs`. */
  run(untilMs: number): void
}

interface Entry {
  readonly timeMs: number
  readonly order: number
  readonly happen: () => void
}

export function createTimeline(): Timeline {
  const heap: Entry[] = []
  let nowMs = 0
  let order = 0

  function isBefore(a: Entry, b: Entry): boolean {
    return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order)
  }

  function push(entry: Entry): void {
    let index = heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(entry, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = entry
  }

  function pop(): Entry {
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (!isBefore(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
    return first
  }

  return {
    get nowMs() {
      return nowMs
    },
    at(delayMs, happen) {
      push({ timeMs: nowMs + Math.max(0, delayMs), order: order++, happen })
    },
    run(untilMs) {
      while (heap.length > 0 && heap[0]!.timeMs < untilMs) {
        const entry = pop()
        nowMs = entry.timeMs
        entry.happen()
      }
      nowMs = untilMs
    },
  }
}

export interface Chance {
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number
  happens(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

/** mulberry32 */
export function createChance(seed: number): Chance {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + next() * (high - low),
    happens: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
  }
}
