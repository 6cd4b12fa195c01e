/** Time over which events are put together. More than this is seen as a delay. */
const BATCH_MS = 50

export interface Batch<Item> {
  add(item: Item): void
  /** Hands on now what has come, such as before a change of it. */
  flush(): void
  end(): void
}

/** Hands items on together, so that twenty events in a second do not draw the page twenty times. */
export function createBatch<Item>(take: (items: readonly Item[]) => void): Batch<Item> {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (items.length === 0) return
    const taken = items
    items = []
    take(taken)
  }

  return {
    add(item) {
      items.push(item)
      timer ??= setTimeout(flush, BATCH_MS)
    },
    flush,
    end() {
      clearTimeout(timer)
      timer = undefined
      items = []
    },
  }
}
