/** Reads that many callers make at the same time, as one statement: each would wake two processes, to read a row or two. */

/** Answers some keys, in their order. */
export type ReadMany<Key, Found> = (keys: readonly Key[]) => Promise<readonly Found[]>

interface Waiting<Key, Found> {
  readonly key: Key
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a read of one key. Calls of one turn of the event loop share a statement, and so do calls that are made while as many statements as may
 * are under way. A lone call waits for nobody. All calls of a statement that fails get its error.
 * @param keysMax maximum of keys in one statement
 * @param statementsMax maximum of statements under way
 */
export function joinReads<Key, Found>(
  readMany: ReadMany<Key, Found>,
  keysMax: number,
  statementsMax: number,
): (key: Key) => Promise<Found> {
  const waiting: Waiting<Key, Found>[] = []
  let underWay = 0

  async function readNext(): Promise<void> {
    const taken = waiting.splice(0, keysMax)
    try {
      const found = await readMany(taken.map(({ key }) => key))
      for (const [index, { resolve }] of taken.entries()) resolve(found[index] as Found)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }

  async function run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) await readNext()
    underWay -= 1
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay >= statementsMax) return
      underWay += 1
      void run()
    })
}
