/** Estimates which words stand in so many chunks that reading all their places in the index would take long. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { InstanceId } from '../../../schemas/ids.js'
import type { KnowledgeReader, SearchableEntry, WordCount } from '../../store/agents/knowledge-reader.js'

export interface WordCounts {
  /** Number of all chunks. */
  readonly total: number
  /** Returns about how many chunks have a word or one that begins so; null if they are few. */
  chunksOf(plain: string, prefix: string | null): number | null
}

export interface WordCountCache {
  of(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<WordCounts>
}

/** Chunks of one word that are looked at. A word that more of them have is common. */
export const CHUNKS_OF_WORD = 300
/** Chunks whose words are counted, once after each edit. */
const SAMPLE_CHUNKS = 200
/** Of at most 1,000 words, which is 100 KiB. */
const CACHED_MAX = 100

export function createWordCounts(reader: Pick<KnowledgeReader, 'commonWords'>): WordCountCache {
  const cache = new LRUCache<string, Promise<readonly WordCount[]>>({ max: CACHED_MAX })

  function sampled(instance: InstanceId, entries: readonly SearchableEntry[], step: number) {
    const key = stateOf(instance, entries)
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
      if (total <= CHUNKS_OF_WORD) return { total, chunksOf: () => null }
      const step = Math.ceil(total / SAMPLE_CHUNKS)
      const words = await sampled(instance, entries, step)
      return {
        total,
        chunksOf(plain, prefix) {
          // The most frequent word is the first.
          const found = words.find(({ word }) => word === plain || (prefix !== null && word.startsWith(prefix)))
          return found === undefined ? null : Math.min(total, found.count * step)
        },
      }
    },
  }
}

/** Returns a name of the present content of these entries: an edit makes another generation. */
export function stateOf(instance: InstanceId, entries: readonly SearchableEntry[]): string {
  const generations = entries.map(({ id, generation }) => `${id}.${generation}`).join(' ')
  return createHash('sha256').update(`${instance} ${generations}`).digest('base64')
}
