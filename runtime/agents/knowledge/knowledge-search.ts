/** Finds chunks of an instance's knowledge by words and by meaning. */

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { boundedMarks } from '../../../lib/bounded-marks.js'
import { spaceName, type VectorSpace } from '../../../schemas/agents/knowledge-content.js'
import { ModelError } from '../../../schemas/agents/models.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { AgentKnowledge, FindOptions, FoundChunk, FoundKnowledge } from '../../../schemas/ports/agents.js'
import type {
  ChunkKey,
  KnowledgeReader,
  QueryWord,
  SearchableEntry,
  StoredChunk,
  StoredVector,
  WordCount,
} from '../../store/agents/knowledge-reader.js'
import { estimateChunkTokens } from '../extract/chunks.js'
import { isCommon, splitWords, withoutAccents } from '../extract/words.js'
import type { VectorMatrix } from './cosine.js'
import type { Embeddings } from './provider-embeddings.js'
import { buildVocabulary, similarWords, type Vocabulary } from './typing-errors.js'
import type { VectorSearch } from './vector-search.js'

// Bound: 2,000, hits of all lists.

export interface KnowledgeSearchOptions {
  readonly reader: KnowledgeReader
  readonly embeddings: Pick<Embeddings, 'of'>
  readonly vectors: VectorSearch
  /** Called when entries have vectors of another model than the present one. */
  readonly onOtherModel: (instance: InstanceId, space: VectorSpace | null) => void
}

/** Knowledge up to this size is given as a whole. */
const WHOLE_TOKENS_MAX = 4_000
const CHUNKS_MAX = 6
const TOKENS_MAX = 2_000
/** Of each of the two lists. */
const HITS_MAX = 50
/** The rarity of so few words hardly tells which of many chunks is the best one, so more of them are ranked. */
const FEW_WORDS = 8
const QUERY_MAX = 8_000
/** Constant of the reciprocal rank fusion: the first place of one list counts as much as two places near the sixtieth. */
const RANK_OFFSET = 60
const VOCABULARIES_MAX = 20
const NO_MEANING = { keys: null, warning: null }

export function createKnowledgeSearch(options: KnowledgeSearchOptions): AgentKnowledge {
  return new Search(options)
}

class Search implements AgentKnowledge {
  readonly #options: KnowledgeSearchOptions
  readonly #cache: ReturnType<typeof createVectorCache>
  readonly #counts: ReturnType<typeof createWordCounts>
  readonly #vocabularies = new LRUCache<string, Vocabulary>({ max: VOCABULARIES_MAX })

  constructor(options: KnowledgeSearchOptions) {
    this.#options = options
    this.#cache = createVectorCache(options.reader)
    this.#counts = createWordCounts(options.reader)
  }

  async find(instance: InstanceId, query: string, options: FindOptions): Promise<FoundKnowledge> {
    const entries = await this.#options.reader.entries(instance, options.entries)
    const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0)
    if (tokens > WHOLE_TOKENS_MAX) return await this.#best(instance, entries, query, options)
    const chunks = await this.#options.reader.allTexts(instance, entries)
    return { chunks: chunks.map((chunk) => found(chunk, entries, 1, chunk.overlap)), isWhole: true, isByMeaning: false }
  }

  async search(instance: InstanceId, query: string, options: FindOptions): Promise<FoundKnowledge> {
    return await this.#best(instance, await this.#options.reader.entries(instance, options.entries), query, options)
  }

  async #best(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    given: string,
    options: FindOptions,
  ): Promise<FoundKnowledge> {
    const query = given.slice(0, QUERY_MAX).trim()
    if (entries.length === 0 || query === '') return { chunks: [], isWhole: false, isByMeaning: false }
    const [byWords, byMeaning] = await Promise.all([
      this.#byWords(instance, entries, query),
      this.#byMeaning(instance, entries, query, options.signal),
    ])
    const { keys, warning } = byMeaning
    const merged = merge([byWords, keys ?? []], entries)
    const texts = await this.#options.reader.texts(instance, merged.slice(0, 2 * (options.chunksMax ?? CHUNKS_MAX)))
    const chunks = withinBudget(merged, texts, entries, options)
    return { chunks, isWhole: false, isByMeaning: keys !== null, ...(warning === null ? {} : { warning }) }
  }

  async #byWords(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    query: string,
  ): Promise<readonly ChunkKey[]> {
    const { reader } = this.#options
    const words = questionWords(query)
    if (words.length === 0) return []
    const counts = await this.#counts.of(instance, entries)
    const wanted = planScans(words, counts)
    const isLong = wanted.length > FEW_WORDS
    const bounds = {
      total: counts.total,
      perScan: CHUNKS_OF_WORD,
      limit: HITS_MAX,
      ranked: isLong ? HITS_MAX : 2 * HITS_MAX,
    }
    const hits = await reader.byWords(instance, entries, wanted, bounds)
    if (hits.length > 0) return hits
    const vocabulary = await this.#vocabulary(instance, entries)
    const unknown = wanted.filter(({ chunks }) => chunks === null).map(({ plain }) => plain)
    const similar: PlainWord[] = similarWords(unknown, vocabulary).map((word) => ({ word, plain: word }))
    const others = [...planScans(similar.slice(0, WORDS_MAX), counts), ...commonAlone(wanted)]
    return await reader.byWords(instance, entries, others, bounds)
  }

  async #vocabulary(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<Vocabulary> {
    const key = hashEntries(instance, entries)
    const known = this.#vocabularies.get(key)
    if (known !== undefined) return known
    const vocabulary = buildVocabulary(await this.#options.reader.vocabulary(instance, entries))
    this.#vocabularies.set(key, vocabulary)
    return vocabulary
  }

  /** `keys` is null if there are no vectors, or the provider fails. */
  async #byMeaning(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    query: string,
    signal = new AbortController().signal,
  ): Promise<{ readonly keys: readonly ChunkKey[] | null; readonly warning: string | null }> {
    try {
      const model = await this.#options.embeddings.of(instance)
      const space = model === null ? '' : spaceName(model)
      const known = entries.filter((entry) => entry.space === space)
      if (known.length < entries.length) this.#options.onOtherModel(instance, model)
      if (model === null || known.length === 0) return NO_MEANING
      const [vectors, [wanted]] = await Promise.all([
        this.#cache.of(instance, known, model.dimensions),
        model.embed('query', [query], signal),
      ])
      if (wanted === undefined || wanted.length !== model.dimensions) return NO_MEANING
      const hits = await this.#options.vectors.best(vectors, wanted, HITS_MAX)
      const keys = hits.map(({ matrix, row }) => {
        const { entry = '', positions = [] } = vectors[matrix] ?? {}
        return { entry, position: positions[row] ?? 0 }
      })
      return { keys, warning: null }
    } catch (error) {
      if (signal.aborted) throw error
      const why = error instanceof ModelError ? error.message : 'an error of the gateway'
      return { keys: null, warning: `Knowledge was searched by its words only: ${why}` }
    }
  }
}

interface Ranked extends ChunkKey {
  readonly score: number
}

/** Merges lists by the places of their chunks. The score is 1 for a chunk that is the first of each list that is not empty. */
function merge(lists: readonly (readonly ChunkKey[])[], entries: readonly SearchableEntry[]): Ranked[] {
  const priorities = new Map(entries.map(({ id, priority }) => [id, priority]))
  const scores = new Map<string, Ranked>()
  const used = lists.filter((list) => list.length > 0)
  for (const list of used)
    for (const [place, { entry, position }] of list.entries()) {
      const key = `${entry} ${position}`
      const share = (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + place) / used.length
      scores.set(key, { entry, position, score: (scores.get(key)?.score ?? 0) + share })
    }
  const findPriority = ({ entry }: Ranked) => priorities.get(entry) ?? 0
  return [...scores.values()].toSorted((a, b) => b.score - a.score || findPriority(b) - findPriority(a))
}

function withinBudget(
  ranked: readonly Ranked[],
  texts: readonly StoredChunk[],
  entries: readonly SearchableEntry[],
  { chunksMax = CHUNKS_MAX, tokensMax = TOKENS_MAX }: FindOptions,
): FoundChunk[] {
  const byKey = new Map(texts.map((chunk) => [`${chunk.entry} ${chunk.position}`, chunk]))
  const taken: FoundChunk[] = []
  let tokens = 0
  for (const { entry, position, score } of ranked) {
    const chunk = byKey.get(`${entry} ${position}`)
    if (chunk === undefined) continue
    const size = estimateChunkTokens(chunk.text)
    if (tokens + size > tokensMax) continue
    tokens += size
    taken.push(found(chunk, entries, score, 0))
    if (taken.length >= chunksMax) break
  }
  return taken
}

function found(
  { entry, position, text }: StoredChunk,
  entries: readonly SearchableEntry[],
  score: number,
  from: number,
): FoundChunk {
  const title = entries.find(({ id }) => id === entry)?.title ?? ''
  return { entry, title, position, text: text.slice(from).trimStart(), score: Math.round(score * 10_000) / 10_000 }
}

// Chooses the words of a question by which chunks are found, and those that only rank them.

interface PlainWord {
  /** As it was written. */
  readonly word: string
  /** Without accents. */
  readonly plain: string
}

/** So much of the end of a question is considered: the newest message is the last. */
const LENGTH_MAX = 8_000
/** Words of a question that are searched. */
const WORDS_MAX = 16
/** Words of a question that are considered: a message may have a thousand. */
const CONSIDERED_MAX = 64
/** Common words that lead to chunks which have all of them. */
const TOGETHER_MAX = 2

/** Returns the words of a question that say something, the longest first. */
export function questionWords(query: string): PlainWord[] {
  const words = new Map<string, string>()
  for (const word of boundedMarks(query.slice(-LENGTH_MAX))
    .toLowerCase()
    // Bound: 8,000, the end of a question.
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    for (const plain of splitWords(word)) if (!isCommon(plain)) words.set(plain, word.normalize('NFC'))
  // Bound: 8,000, the end of a question.
  return [...words]
    .map(([plain, word]) => ({ plain, word: withoutAccents(word) === plain ? word : plain }))
    .toSorted((a, b) => b.plain.length - a.plain.length)
    .slice(0, CONSIDERED_MAX)
}

/**
 * Takes the rarest words. Each rare one leads to its chunks. A common one leads to chunks only together with another that less than half of the
 * chunks have: reading the places of a word in the index takes the time, and a word of every second chunk says next to nothing.
 */
function planScans(words: readonly PlainWord[], counts: WordCounts): QueryWord[] {
  // Bound: 8,000, the end of a question.
  const counted = words
    .map((word) => ({ ...word, prefix: findPrefix(word.plain) }))
    .map((word) => ({ ...word, chunks: counts.countChunks(word.plain, word.prefix) }))
    .toSorted((a, b) => (a.chunks ?? 0) - (b.chunks ?? 0))
    .slice(0, WORDS_MAX)
  const common = counted.filter(({ chunks }) => chunks !== null)
  const useful = common.filter(({ chunks }) => (chunks ?? 0) < counts.total / 2).slice(0, TOGETHER_MAX)
  const together = new Set(useful.length > 0 || common.length < counted.length ? useful : common.slice(0, 1))
  return counted.map((word, index) => {
    if (word.chunks === null) return { ...word, scan: index + 1 }
    return { ...word, scan: together.has(word) ? 0 : null }
  })
}

/** Returns the rarest of the common words, each with a scan of its own: for a question whose words stand together in no chunk. */
function commonAlone(words: readonly QueryWord[]): QueryWord[] {
  const common = words.filter(({ chunks }) => chunks !== null).slice(0, TOGETHER_MAX)
  return common.map((word, index) => ({ ...word, scan: -1 - index }))
}

/** Returns the beginning that a word shares with its other forms. */
function findPrefix(plain: string): string | null {
  if (plain.length < 6) return null
  return plain.slice(0, plain.length - (plain.length >= 9 ? 3 : 2))
}

/** Vectors of an entry, and the positions of their chunks. */
interface EntryVectors extends VectorMatrix {
  readonly entry: string
  readonly positions: readonly number[]
}

interface VectorCache {
  /** Returns the vectors of these entries, from memory or the store. Leaves out those of another length. */
  of(instance: InstanceId, entries: readonly SearchableEntry[], dimensions: number): Promise<readonly EntryVectors[]>
}

/** Of all instances on this node. 10,000 chunks with 512 dimensions take 20 MiB. */
const CACHE_MAX_BYTES = 128 * 2 ** 20
/** Vectors of one statement: 2,000 with 512 dimensions are 4 MiB, and twice that on the wire. */
const ROWS_AT_ONCE = 2_000

/** Keeps vectors in memory, by the generation of their entry: an edit makes other ones. */
function createVectorCache(reader: Pick<KnowledgeReader, 'vectors'>, maxBytes = CACHE_MAX_BYTES): VectorCache {
  const kept = new LRUCache<string, EntryVectors>({
    maxSize: maxBytes,
    sizeCalculation: ({ buffer, positions }) => buffer.byteLength + 8 * positions.length + 200,
  })
  return {
    async of(instance, entries, dimensions) {
      const formatKey = ({ id, generation, space }: SearchableEntry) => `${instance} ${id} ${generation} ${space}`
      const found = new Map(entries.map((entry) => [entry.id, kept.get(formatKey(entry))]))
      for (const batch of batches(entries.filter(({ id }) => found.get(id) === undefined))) {
        const rows = grouped(await reader.vectors(instance, batch))
        for (const entry of batch) {
          const vectors = buildMatrix(entry.id, rows.get(entry.id) ?? [], dimensions)
          kept.set(formatKey(entry), vectors)
          found.set(entry.id, vectors)
        }
      }
      return [...found.values()].filter((one) => one !== undefined && one.rows > 0) as EntryVectors[]
    },
  }
}

function grouped(rows: readonly StoredVector[]): Map<string, StoredVector[]> {
  const groups = new Map<string, StoredVector[]>()
  for (const row of rows) {
    const group = groups.get(row.entry)
    if (group === undefined) groups.set(row.entry, [row])
    else group.push(row)
  }
  return groups
}

function batches(entries: readonly SearchableEntry[]): SearchableEntry[][] {
  const all: SearchableEntry[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    if (rows + entry.chunks > ROWS_AT_ONCE) {
      all.push([])
      rows = 0
    }
    all.at(-1)?.push(entry)
    rows += entry.chunks
  }
  return all
}

function buildMatrix(entry: string, stored: readonly StoredVector[], dimensions: number): EntryVectors {
  const fitting = stored.filter(({ vector }) => vector.length === 4 * dimensions)
  const buffer = new SharedArrayBuffer(fitting.length * 4 * dimensions)
  const bytes = new Uint8Array(buffer)
  for (const [row, { vector }] of fitting.entries()) bytes.set(vector, row * 4 * dimensions)
  return { entry, buffer, rows: fitting.length, positions: fitting.map(({ position }) => position) }
}

// Estimates which words stand in so many chunks that reading all their places in the index would take long.

interface WordCounts {
  /** Number of all chunks. */
  readonly total: number
  /** Returns about how many chunks have a word or one that begins so; null if they are few. */
  countChunks(plain: string, prefix: string | null): number | null
}

interface WordCountCache {
  of(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<WordCounts>
}

/** Chunks of one word that are looked at. A word that more of them have is common. */
const CHUNKS_OF_WORD = 300
/** Chunks whose words are counted, once after each edit. */
const SAMPLE_CHUNKS = 200
/** Of at most 1,000 words, which is 100 KiB. */
const CACHED_MAX = 100

function createWordCounts(reader: Pick<KnowledgeReader, 'commonWords'>): WordCountCache {
  const cache = new LRUCache<string, Promise<readonly WordCount[]>>({ max: CACHED_MAX })

  function sampled(instance: InstanceId, entries: readonly SearchableEntry[], step: number) {
    const key = hashEntries(instance, entries)
    const known = cache.get(key)
    if (known !== undefined) return known
    const words = reader.commonWords(instance, entries, { step, least: Math.floor(CHUNKS_OF_WORD / step) })
    cache.set(key, words)
    words.catch(() => cache.delete(key))
    return words
  }

  return {
    async of(instance, entries) {
      const total = entries.reduce((sum, { chunks }) => sum + chunks, 0)
      if (total <= CHUNKS_OF_WORD) return { total, countChunks: () => null }
      const step = Math.ceil(total / SAMPLE_CHUNKS)
      const words = await sampled(instance, entries, step)
      return {
        total,
        countChunks(plain, prefix) {
          // The most frequent word is the first.
          const found = words.find(({ word }) => word === plain || (prefix !== null && word.startsWith(prefix)))
          return found === undefined ? null : Math.min(total, found.count * step)
        },
      }
    },
  }
}

/** Returns a name of the present content of these entries: an edit makes another generation. */
function hashEntries(instance: InstanceId, entries: readonly SearchableEntry[]): string {
  const generations = entries.map(({ id, generation }) => `${id}.${generation}`).join(' ')
  return createHash('sha256').update(`${instance} ${generations}`).digest('base64')
}
