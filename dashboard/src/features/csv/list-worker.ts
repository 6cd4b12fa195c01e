/** Runs in a worker, so that a list of a million rows does not stop the page. */
import { type ReadList, readList } from './read-list.js'
import {
  type BuiltList,
  buildList,
  type ColumnChoice,
  guessMapping,
  type ListMapping,
  SAMPLES_MAX,
} from './recipients.js'

export type ListRequest =
  | { readonly type: 'read'; readonly id: number; readonly blob: Blob }
  | { readonly type: 'build'; readonly id: number; readonly mapping: ListMapping }

export interface ListHead extends Omit<ReadList, 'rows'> {
  readonly total: number
  /** First rows. */
  readonly rows: ReadList['rows']
  readonly guess: readonly ColumnChoice[]
}

export interface ListBuild extends Omit<BuiltList, 'lines'> {
  readonly blob: Blob
}

export type ListAnswer = { readonly id: number } & (
  | { readonly head: ListHead }
  | { readonly built: ListBuild }
  | { readonly failed: string }
)

let list: ReadList | undefined

addEventListener('message', ({ data }: MessageEvent<ListRequest>) => {
  answerTo(data).then(
    (answer) => postMessage(answer),
    (error: unknown) => postMessage({ id: data.id, failed: String(error) } satisfies ListAnswer),
  )
})

async function answerTo(request: ListRequest): Promise<ListAnswer> {
  const { id } = request
  if (request.type === 'read') {
    list = readList(new Uint8Array(await request.blob.arrayBuffer()))
    const { rows, ...rest } = list
    return { id, head: { ...rest, rows: rows.slice(0, SAMPLES_MAX), total: rows.length, guess: guessMapping(list) } }
  }
  if (list === undefined) throw new Error('There is no list yet.')
  const { lines, ...counts } = buildList(list, request.mapping)
  return { id, built: { ...counts, blob: new Blob([lines.join('\n')], { type: 'application/x-ndjson' }) } }
}
