/** Reads of the search: entries that may be found, chunks by their words, and vectors. Every statement names the instance. */
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'

/** An active entry with chunks. */
export interface SearchableEntry {
  readonly id: string
  readonly title: string
  readonly priority: number
  readonly generation: number
  readonly chunks: number
  readonly tokens: number
  readonly language: string
  /** Name of the model of its vectors; empty if it has none, or not all of them. */
  readonly space: string
}

export interface ChunkKey {
  readonly entry: string
  readonly position: number
}

export interface StoredChunk extends ChunkKey {
  readonly text: string
  readonly overlap: number
}

/** A word of a question. */
export interface QueryWord {
  /** As it was written. */
  readonly word: string
  /** Without accents. */
  readonly plain: string
}

export interface StoredVector extends ChunkKey {
  readonly vector: Buffer
}

export interface KnowledgeReader {
  /** The highest priority first. `ids` null: all. */
  entries(instance: InstanceId, ids: readonly string[] | null): Promise<readonly SearchableEntry[]>
  /** Returns chunks with one of the words, the best first. Of each word only so many chunks are looked at. */
  byWords(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    words: readonly QueryWord[],
    limit: number,
  ): Promise<readonly ChunkKey[]>
  /** Returns the vectors of these entries, in the order of entries and chunks. */
  vectors(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<readonly StoredVector[]>
  texts(instance: InstanceId, keys: readonly ChunkKey[]): Promise<readonly StoredChunk[]>
  /** Returns the words of the first chunks of these entries, without accents, and stems. */
  vocabulary(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<readonly string[]>
  /** Returns all chunks of these entries, in order. */
  allTexts(instance: InstanceId, entries: readonly SearchableEntry[]): Promise<readonly StoredChunk[]>
}

const ENTRIES = `
  SELECT id, tittle AS title, priority, generation, chunks, tokens, language,
    CASE WHEN vector_status = 'vectorized' AND vectors_due IS NULL THEN vector_model ELSE '' END AS space
  FROM knowledge WHERE instance_id = $1 AND active AND chunks > 0 AND ($2::text[] IS NULL OR id = ANY($2))
  ORDER BY priority DESC, created, id`
/** Chunks of one word that are looked at. A word that all chunks have says nothing. */
const CHUNKS_OF_WORD = 150
// A word matches its plain form, the beginning of it (`devolução` and `devoluções` differ at the end only), and its stems. The index is read word by
// word, so that a common word does not push out the rare ones.
// $1 instance   $2 entries   $3 words   $4 plain words   $5 languages   $6 limit
const BY_WORDS = `
  WITH part AS MATERIALIZED (
    SELECT concat_ws(' | ', quote_literal(mark || plain),
      CASE WHEN length(plain) >= 6 THEN quote_literal(mark || left(plain, length(plain) - CASE WHEN length(plain) >= 9 THEN 3 ELSE 2 END)) || ':*' END,
      (SELECT string_agg(DISTINCT quote_literal(mark || replace(lexeme, '\\', '')), ' | ')
       FROM unnest($5::text[]) AS language, unnest(to_tsvector(language::regconfig, word))))::tsquery AS query
    FROM unnest($3::text[], $4::text[]) AS w (word, plain), left(md5($1), 8) AS mark),
  found AS MATERIALIZED (
    SELECT DISTINCT c.entry_id, c.position FROM part CROSS JOIN LATERAL (
      SELECT entry_id, position FROM knowledge_chunk
      WHERE lexemes @@ part.query AND instance_id = $1 AND entry_id = ANY($2::text[]) LIMIT ${CHUNKS_OF_WORD}) AS c)
  SELECT c.entry_id AS entry, c.position
  FROM found JOIN knowledge_chunk AS c ON c.instance_id = $1 AND c.entry_id = found.entry_id AND c.position = found.position,
    (SELECT string_agg('(' || query::text || ')', ' | ')::tsquery AS query FROM part) AS whole
  ORDER BY ts_rank(c.lexemes, whole.query) DESC, c.entry_id, c.position LIMIT $6`
const VECTORS = `
  SELECT entry_id AS entry, position, vector FROM knowledge_chunk
  JOIN unnest($2::text[], $3::bigint[]) AS wanted (entry_id, generation) USING (entry_id, generation)
  WHERE instance_id = $1 AND vector IS NOT NULL ORDER BY entry_id, position`
const VOCABULARY = `
  SELECT DISTINCT substr(lexeme, 9) AS word FROM (
    SELECT lexemes FROM knowledge_chunk WHERE instance_id = $1 AND entry_id = ANY($2::text[]) LIMIT 2000) AS chunk,
    unnest(tsvector_to_array(lexemes)) AS lexeme LIMIT 50000`
const TEXTS = `
  SELECT entry_id AS entry, position, text, overlap FROM knowledge_chunk
  JOIN unnest($2::text[], $3::int[]) AS wanted (entry_id, position) USING (entry_id, position) WHERE instance_id = $1`
const ALL_TEXTS = `
  SELECT entry_id AS entry, position, text, overlap FROM knowledge_chunk
  WHERE instance_id = $1 AND entry_id = ANY($2::text[]) ORDER BY array_position($2::text[], entry_id), position`

export function createKnowledgeReader(pool: pg.Pool): KnowledgeReader {
  return {
    async entries(instance, ids) {
      return (await pool.query<SearchableEntry>(ENTRIES, [instance, ids])).rows
    },

    async byWords(instance, entries, words, limit) {
      if (words.length === 0 || entries.length === 0) return []
      const languages = [...new Set(entries.map(({ language }) => language))].filter((one) => one !== 'simple')
      const { rows } = await pool.query<ChunkKey>(BY_WORDS, [
        instance,
        entries.map(({ id }) => id),
        words.map(({ word }) => word),
        words.map(({ plain }) => plain),
        languages,
        limit,
      ])
      return rows
    },

    async vectors(instance, entries) {
      const values = [instance, entries.map(({ id }) => id), entries.map(({ generation }) => generation)]
      return (await pool.query<StoredVector>(VECTORS, values)).rows
    },

    async vocabulary(instance, entries) {
      const values = [instance, entries.map(({ id }) => id)]
      return (await pool.query<{ word: string }>(VOCABULARY, values)).rows.map(({ word }) => word)
    },

    async texts(instance, keys) {
      const values = [instance, keys.map(({ entry }) => entry), keys.map(({ position }) => position)]
      return (await pool.query<StoredChunk>(TEXTS, values)).rows
    },

    async allTexts(instance, entries) {
      return (await pool.query<StoredChunk>(ALL_TEXTS, [instance, entries.map(({ id }) => id)])).rows
    },
  }
}
