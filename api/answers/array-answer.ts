/** Answers of lists that may be long: an array that is written page by page, as fast as its reader takes it. */
import { Readable } from 'node:stream'
import { setImmediate as nextStep } from 'node:timers/promises'
import { Answer } from '../route.js'

type Page = readonly unknown[]

/**
 * Answers with the rows of all pages as one array. Other calls go on between two pages, and only one page is in memory. The first page is read
 * before the answer begins, so that a list that fails at once is answered with its error; one that fails later ends without the rest.
 */
export async function arrayAnswer<Row>(
  pages: AsyncIterable<readonly Row[]>,
  toRecords: (rows: readonly Row[]) => Page | Promise<Page> = (rows) => rows,
): Promise<Answer> {
  const iterator = pages[Symbol.asyncIterator]()
  const first = await iterator.next()
  const body = Readable.from(asArray(first, iterator, toRecords), { objectMode: false })
  return new Answer({ body, type: 'application/json; charset=utf-8' })
}

async function* asArray<Row>(
  first: IteratorResult<readonly Row[]>,
  iterator: AsyncIterator<readonly Row[]>,
  toRecords: (rows: readonly Row[]) => Page | Promise<Page>,
): AsyncGenerator<string> {
  let before = '['
  try {
    for (let page = first; page.done !== true; page = await iterator.next()) {
      if (page.value.length === 0) continue
      yield before + JSON.stringify(await toRecords(page.value)).slice(1, -1)
      before = ','
      // A connection that takes the text at once asks for the next page in the same step.
      await nextStep()
    }
  } finally {
    await iterator.return?.()
  }
  yield before === '[' ? '[]' : ']'
}
