/** Finds chunks of an instance's knowledge by words and by meaning. */
import { LRUCache } from 'lru-cache'
import { ModelError } from '../../../schemas/agents/models.js'
import { spaceName, type VectorSpace } from '../../../schemas/agents/vector-space.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { AgentKnowledge, FindOptions, FoundChunk, FoundKnowledge } from '../../../schemas/ports/knowledge.js'
import type { ChunkKey, KnowledgeReader, SearchableEntry, StoredChunk } from '../../store/agents/knowledge-reader.js'
import { tokensOf } from '../extract/chunks.js'
import type { Embeddings } from './embeddings.js'
import { commonAlone, type PlainWord, questionWords, scansOf, WORDS_MAX } from './question-words.js'
import { similarWords, type Vocabulary, vocabularyOf } from './typing-errors.js'
import { createVectorCache } from './vector-cache.js'
import type { VectorSearch } from './vector-search.js'
import { CHUNKS_OF_WORD, createWordCounts, stateOf } from './word-counts.js'

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
    const wanted = scansOf(words, counts)
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
    const others = [...scansOf(similar.slice(0, WORDS_MAX), counts), ...commonAlone(wanted)]
    return await reader.byWords(instance, entries, others, bounds)
  }

  async #vocabulary(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<Vocabulary> {
    const key = stateOf(instance, entries)
    const known = this.#vocabularies.get(key)
    if (known !== undefined) return known
    const vocabulary = vocabularyOf(await this.#options.reader.vocabulary(instance, entries))
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
  const priorityOf = ({ entry }: Ranked) => priorities.get(entry) ?? 0
  return [...scores.values()].toSorted((a, b) => b.score - a.score || priorityOf(b) - priorityOf(a))
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
    const size = tokensOf(chunk.text)
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
