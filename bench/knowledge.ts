/**
 * Measures what a search of an agent's knowledge takes: 10,000 chunks with vectors of 512 dimensions, beside 30 other instances. The provider's call is left
 * out. `npm run bench -- knowledge [chunks] [calls]`
 */
import { randomInt } from 'node:crypto'
import { createExtractor } from '../runtime/agents/extract/extractor.js'
import { createKnowledgeIndex } from '../runtime/agents/knowledge/knowledge-index.js'
import { createKnowledgeSearch } from '../runtime/agents/knowledge/knowledge-search.js'
import type { EmbeddingModel, Embeddings } from '../runtime/agents/knowledge/provider-embeddings.js'
import { createVectorSearch } from '../runtime/agents/knowledge/vector-search.js'
import { createKnowledgeEntries } from '../runtime/store/agents/knowledge-entries.js'
import { createKnowledgeReader } from '../runtime/store/agents/knowledge-reader.js'
import { createKnowledgeWork } from '../runtime/store/agents/knowledge-work.js'
import { createWork } from '../runtime/work/work.js'
import type { InstanceId } from '../schemas/ids.js'
import { openTestStore, testLog } from '../test/support/store.js'
import { say, table, timed } from './harness/report.js'

const wanted = Number(process.argv[2] ?? 10_000)
const calls = Number(process.argv[3] ?? 200)
const DIMENSIONS = 512
const OTHER_INSTANCES = 30
const CHUNKS_OF_OTHERS = 200
const CHUNKS_OF_ENTRY = 400
const CHUNK_CHARACTERS = 1_050

// Words are as frequent as in a language: few are in each chunk, most are in few.
const words = Array.from({ length: 8_000 }, (_, index) => `${'bcdfglmnprst'[index % 12]}a${index.toString(36)}ção`)
const aWord = (): string => words[Math.floor(words.length ** Math.random()) - 1] ?? 'loja'
const formatText = (characters: number): string => {
  const parts: string[] = []
  for (let length = 0; length < characters; ) {
    const sentence = `O ${Array.from({ length: 12 }, aWord).join(' ')} para você.`
    parts.push(sentence)
    length += sentence.length + 1
  }
  return parts.join(' ')
}
const createVector = (): Float32Array => {
  const values = Float32Array.from({ length: DIMENSIONS }, () => randomInt(-1_000, 1_000))
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

const after: (() => Promise<void> | void)[] = []
const store = await openTestStore({ after: (work) => after.push(work) })
const { pool } = store.database
const work = createKnowledgeWork(pool)
const entries = createKnowledgeEntries(pool, () => {})
const model: EmbeddingModel = {
  model: 'bench/random',
  dimensions: DIMENSIONS,
  embed: async (_purpose, texts) => texts.map(createVector),
}
const main = await store.newInstance('searched')
const embeddings: Embeddings = {
  of: async (instance) => (instance === main ? model : null),
  find: async (instance) => (instance === main ? model : { none: '' }),
  isPossible: async (instance) => instance === main,
}
const vectors = createVectorSearch()
const reader = createKnowledgeReader(pool)
const search = createKnowledgeSearch({ reader, embeddings, vectors, onOtherModel: () => {} })

await fill(main, wanted)
for (let index = 0; index < OTHER_INSTANCES; index += 1)
  await fill(await store.newInstance(`other ${index}`), CHUNKS_OF_OTHERS)
const began = performance.now()
await createKnowledgeIndex({
  work,
  extractor: createExtractor({ work: createWork() }),
  embeddings,
  outgoing: { get: () => Promise.reject(new Error('There are no URLs.')) },
  logger: testLog,
}).run(new AbortController().signal)
const [{ chunks = 0 } = {}] = await store.rows<{ chunks: number }>(
  'SELECT count(*)::int AS chunks FROM knowledge_chunk WHERE instance_id = $1',
  [main],
)
say(
  `${chunks} chunks were read and stored in ${((performance.now() - began) / 1_000).toFixed(1)} s, those of others included.`,
  '',
)
await store.rows('ANALYZE')

const questions: readonly (readonly [string, () => string])[] = [
  ['three rare words', () => [5_000, 6_000, 7_000].map((index) => words[index + randomInt(900)] ?? '').join(' ')],
  ['three words that most chunks have', () => words.slice(0, 3).join(' ')],
  ['a sentence', () => formatText(60)],
  ['a long question', () => formatText(400)],
]
const cold = performance.now()
await search.find(main, 'primeiro', { entries: null })
say(`The first search, which loads the vectors: ${(performance.now() - cold).toFixed(0)} ms`, '')
const rows: string[][] = []
for (const [name, question] of questions) {
  const asked = (): Promise<unknown> => search.find(main, question(), { entries: null })
  const { p50, p95 } = await timed(calls, asked)
  rows.push([name, p50.toFixed(1), p95.toFixed(1)])
}
say(table(['question', 'p50, ms', 'p95, ms'], rows))
for (const end of after.toReversed()) await end()
await vectors.close()

async function fill(instance: InstanceId, count: number): Promise<void> {
  for (let left = count; left > 0; left -= CHUNKS_OF_ENTRY)
    await entries.save(instance, null, {
      active: true,
      tittle: 'Loja',
      content: formatText(Math.min(left, CHUNKS_OF_ENTRY) * CHUNK_CHARACTERS),
      fileType: '',
      priority: 0,
      source: null,
      isReread: true,
      isOther: true,
    })
}
