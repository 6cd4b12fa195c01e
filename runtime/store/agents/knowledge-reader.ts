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
  /** Beginning that other forms of it share; null for short words. */
  readonly prefix: string | null
  /** Number of chunks that have it, if it is common; else null, and it is counted. */
  readonly chunks: number | null
  /** Words of one number lead to the chunks that have all of them. A word without one only ranks chunks. */
  readonly scan: number | null
}

export interface WordBounds {
  /** Number of chunks of the entries. */
  readonly total: number
  /** Chunks that are looked at, of each scan. */
  readonly perScan: number
  readonly limit: number
  /** Chunks with the rarest words, which are ranked by how often the words stand in them: reading the lexemes of a chunk takes 25 µs. */
  readonly ranked: number
}

/** A word that stands in many chunks, without accents or as a stem. */
export interface WordCount {
  readonly word: string
  readonly count: number
}

export interface StoredVector extends ChunkKey {
  readonly vector: Buffer
}

export interface KnowledgeReader {
  /** The highest priority first. `ids` null: all. */
  entries(instance: InstanceId, ids: readonly string[] | null): Promise<readonly SearchableEntry[]>
  /** Returns words of one in `step` chunks of these entries, by chance, that more than `least` of these have, the most frequent first. */
  commonWords(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    sample: { readonly step: number; readonly least: number },
  ): Promise<readonly WordCount[]>
  /** Returns chunks with one of the words, the best first. */
  byWords(
    instance: InstanceId,
    entries: readonly SearchableEntry[],
    words: readonly QueryWord[],
    bounds: WordBounds,
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
const SAMPLE_CHUNKS_MAX = 400
const COMMON_WORDS_MAX = 1_000
// $1 instance   $2 entries   $3 step   $4 least
const COMMON_WORDS = `
  SELECT substr(lexeme, 9) AS word, count(*)::int AS count FROM (
    SELECT lexemes FROM knowledge_chunk
    WHERE instance_id = $1 AND entry_id = ANY($2::text[]) AND hashtext(entry_id || position) % $3 = 0
    LIMIT ${SAMPLE_CHUNKS_MAX}) AS chunk,
    unnest(tsvector_to_array(lexemes)) AS lexeme
  GROUP BY lexeme HAVING count(*) > $4 ORDER BY count DESC LIMIT ${COMMON_WORDS_MAX}`
// A word matches its plain form, the beginning of it (`devolução` and `devoluções` differ at the end only), and its stems. The index is read word by
// word, so that a common word does not push out the rare ones. A chunk counts by the rarity of its words: as much as ln(1 + chunks / chunks of the word).
// `|| ''` copies the lexemes, so that they are read from the disk once and not for each word.
// $1 instance   $2 entries   $3 words   $4 plain words   $5 prefixes   $6 chunks of the words   $7 scans   $8 languages   $9 all chunks   $10 limit   $11 chunks of one scan   $12 chunks that are ranked
const BY_WORDS = `
  WITH part AS MATERIALIZED (
    SELECT scan, chunks, concat_ws(' | ', quote_literal(mark || plain), quote_literal(mark || prefix) || ':*',
      (SELECT string_agg(DISTINCT quote_literal(mark || replace(lexeme, '\\', '')), ' | ')
       FROM unnest($8::text[]) AS language, unnest(to_tsvector(language::regconfig, word))))::tsquery AS query
    FROM unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::int[]) AS w (word, plain, prefix, chunks, scan), left(md5($1), 8) AS mark),
  found AS MATERIALIZED (
    SELECT s.scan, c.entry_id, c.position, ln(1 + $9::real / count(*) OVER (PARTITION BY s.scan)) AS weight
    FROM (SELECT scan, string_agg('(' || query::text || ')', ' & ')::tsquery AS query FROM part WHERE scan IS NOT NULL GROUP BY scan) AS s
    CROSS JOIN LATERAL (
      SELECT entry_id, position FROM knowledge_chunk
      WHERE lexemes @@ s.query AND instance_id = $1 AND entry_id = ANY($2::text[]) LIMIT $11) AS c),
  best AS MATERIALIZED (
    SELECT entry_id, position FROM found GROUP BY entry_id, position ORDER BY sum(weight) DESC, entry_id, position LIMIT $12),
  chunk AS MATERIALIZED (
    SELECT c.entry_id, c.position, c.lexemes || ''::tsvector AS lexemes
    FROM best JOIN knowledge_chunk AS c ON c.instance_id = $1 AND c.entry_id = best.entry_id AND c.position = best.position),
  weighted AS MATERIALIZED (
    SELECT query, COALESCE(ln(1 + $9::real / chunks), weight) AS weight
    FROM part LEFT JOIN (SELECT scan, max(weight) AS weight FROM found GROUP BY scan) AS f USING (scan))
  SELECT entry_id AS entry, position FROM chunk
  ORDER BY (SELECT sum(weight * ts_rank(chunk.lexemes, query)) FROM weighted) DESC NULLS LAST, entry_id, position LIMIT $10`
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

    async commonWords(instance, entries, { step, least }) {
      const values = [instance, entries.map(({ id }) => id), step, least]
      return (await pool.query<WordCount>(COMMON_WORDS, values)).rows
    },

    async byWords(instance, entries, words, { total, perScan, limit, ranked }) {
      if (words.length === 0 || entries.length === 0) return []
      const languages = [...new Set(entries.map(({ language }) => language))].filter((one) => one !== 'simple')
      const { rows } = await pool.query<ChunkKey>(BY_WORDS, [
        instance,
        entries.map(({ id }) => id),
        words.map(({ word }) => word),
        words.map(({ plain }) => plain),
        words.map(({ prefix }) => prefix),
        words.map(({ chunks }) => chunks),
        words.map(({ scan }) => scan),
        languages,
        total,
        limit,
        perScan,
        ranked,
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
