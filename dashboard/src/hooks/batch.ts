/** Time over which events are put together. More than this is seen as a delay. */
const BATCH_MS = 50

export interface Batch<Item> {
  add(item: Item): void
  end(): void
}

/** Hands items on together, so that twenty events in a second do not draw the page twenty times. */
export function createBatch<Item>(take: (items: readonly Item[]) => void): Batch<Item> {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add(item) {
      items.push(item)
      timer ??= setTimeout(() => {
        const taken = items
        items = []
        timer = undefined
        take(taken)
      }, BATCH_MS)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      items = []
    },
  }
}
