/** Work on entries of knowledge: what is to be read or to get vectors, and the results. Each write is dropped if the entry was edited meanwhile. */
import type pg from 'pg'
import type { KnowledgeFileType } from '../../../schemas/agents/knowledge-content.js'
import { spaceName, type VectorSpace } from '../../../schemas/agents/knowledge-content.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { KnowledgeFailure } from '../../../schemas/ports/agents.js'
import { KNOWLEDGE_CHUNKS_MAX, knowledgeLimit } from '../../../schemas/record-limits.js'
import { bytesArray, intArray, textArray } from '../arrays.js'
import { inTransaction } from '../in-transaction.js'

/** An entry that has something to be done. */
export interface DueEntry {
  readonly instance: InstanceId
  readonly id: string
}

/** An entry whose content is to be read. */
export interface UnreadEntry extends DueEntry {
  readonly tittle: string
  readonly content: string
  readonly fileType: KnowledgeFileType | ''
  readonly source: Buffer | null
  /** Time of the edit, as PostgreSQL writes it. */
  readonly updated: string
  /** Former attempts since the edit that failed or broke off. */
  readonly attempts: number
}

export interface ChunkToStore {
  readonly text: string
  /** Its words and those of the title, without accents. */
  readonly words: string
  readonly overlap: number
  readonly tokens: number
}

export interface ReadEntry {
  readonly language: string
  readonly chunks: readonly ChunkToStore[]
  /** Text of a file, which becomes the content; null for other contents. */
  readonly text: string | null
  /** Vectors are to be made. */
  readonly isForVectors: boolean
}

/** An entry whose chunks are to get vectors. */
export interface VectorWork {
  readonly generation: number
  readonly tittle: string
  readonly attempts: number
}

export interface ChunkWithoutVector {
  readonly position: number
  readonly text: string
}

export interface KnowledgeWork {
  /** Returns entries with something to do, one of each instance, in the order of the instances, after that one. */
  due(after: string, besides: readonly string[], limit: number): Promise<readonly DueEntry[]>
  /** Marks an entry as being read and returns it. Null: it is read already. */
  beginRead(entry: DueEntry): Promise<UnreadEntry | null>
  /** Stores the chunks, unless the entry was edited meanwhile, or there is no room. */
  storeRead(entry: UnreadEntry, read: ReadEntry): Promise<'stored' | 'edited' | { readonly refused: string }>
  /** Records a failure. The next attempt follows after that time; null: after the next edit. The former chunks stay. */
  failRead(entry: UnreadEntry, failure: KnowledgeFailure, retryMs: number | null): Promise<void>
  beginVectors(entry: DueEntry): Promise<VectorWork | null>
  /** Returns chunks without a vector of this model, in order. */
  withoutVector(
    entry: DueEntry,
    work: VectorWork,
    space: VectorSpace,
    limit: number,
  ): Promise<readonly ChunkWithoutVector[]>
  storeVectors(
    entry: DueEntry,
    work: VectorWork,
    space: VectorSpace,
    vectors: ReadonlyMap<number, Float32Array>,
  ): Promise<void>
  /** Ends the work on vectors. Null: the instance has no provider with embeddings, for that reason. */
  finishVectors(entry: DueEntry, work: VectorWork, space: VectorSpace | null, reason?: string): Promise<void>
  /** Records a failure. The next attempt follows after that time; null: when model or key change. `space` null: the model is not known yet. */
  failVectors(
    entry: DueEntry,
    work: VectorWork,
    space: VectorSpace | null,
    failure: KnowledgeFailure & { readonly retryMs: number | null },
  ): Promise<void>
  /**
   * Makes vectors due of all entries of an instance whose vectors are of another model, and with `again` of those that failed. `space` 'unknown': of all.
   * Returns true if there are some.
   */
  requestVectors(instance: InstanceId, space: VectorSpace | null | 'unknown', again?: boolean): Promise<boolean>
}

const IS_UNREAD = `active AND processed IS DISTINCT FROM updated AND COALESCE(retry_at, '-infinity') <= clock_timestamp()`
const IS_WITHOUT_VECTORS = `active AND processed = updated AND vectors_due <= clock_timestamp()`
// $1 after that instance   $2 besides these   $3 limit
const DUE = `
  SELECT DISTINCT ON (instance_id) instance_id AS instance, id FROM knowledge
  WHERE (${IS_UNREAD} OR ${IS_WITHOUT_VECTORS}) AND instance_id > $1 AND NOT instance_id = ANY($2::text[])
  ORDER BY instance_id, updated LIMIT $3`
// An attempt counts from its beginning: the node may end with it.
const BEGIN_READ = `
  UPDATE knowledge SET vector_status = 'processing', attempts = attempts + 1 WHERE instance_id = $1 AND id = $2 AND ${IS_UNREAD}
  RETURNING instance_id AS instance, id, tittle, content, file_type AS "fileType", source, updated::text, attempts - 1 AS attempts`
// $1 instance   $2 id   $3 updated   $4 text of a file, or null   $5 chunks   $6 tokens   $7 language   $8 for vectors
const FINISH_READ = `
  UPDATE knowledge SET processed = updated, generation = generation + 1, source = NULL, chunks = $5, tokens = $6, language = $7,
    content = COALESCE($4, content), file_type = CASE WHEN $4::text IS NULL THEN file_type ELSE '' END, vector_reason = '', vector_model = '',
    vector_status = CASE WHEN $8::boolean THEN 'processing' ELSE 'indexed' END, vectors_due = CASE WHEN $8 THEN clock_timestamp() END,
    attempts = 0, retry_at = NULL
  WHERE instance_id = $1 AND id = $2 AND updated = $3::timestamptz RETURNING generation`
// Lexemes begin with a mark of the instance: the index of a word that all use is read for one instance only.
// $1 instance   $2 id   $3 generation   $4 texts   $5 words   $6 overlaps   $7 language   $8 title
const INSERT_CHUNKS = `
  INSERT INTO knowledge_chunk (instance_id, entry_id, generation, position, text, overlap, lexemes)
  SELECT $1, $2, $3, c.position - 1, c.text, c.overlap, (
    SELECT COALESCE(string_agg(quote_literal(left(md5($1), 8) || replace(lexeme, '\\', '')) || ':' || array_to_string(positions, ','), ' '), '')::tsvector
    FROM unnest(to_tsvector($7::regconfig, $8 || ' ' || c.text) || to_tsvector('simple', c.words))
    WHERE octet_length(lexeme) < 500)
  FROM unnest($4::text[], $5::text[], $6::int[]) WITH ORDINALITY AS c (text, words, overlap, position)`
const ROOM = `
  SELECT COALESCE(sum(chunks) FILTER (WHERE id <> $2), 0)::int AS chunks,
    COALESCE(sum(octet_length(tittle) + octet_length(content) + COALESCE(octet_length(source), 0)) FILTER (WHERE id <> $2), 0)::bigint AS bytes
  FROM knowledge WHERE instance_id = $1`
const FAIL_READ = `
  UPDATE knowledge SET vector_status = 'error', vector_reason = $4, vector_code = $6,
    processed = CASE WHEN $5::bigint IS NULL THEN updated ELSE processed END,
    source = CASE WHEN $5 IS NULL THEN NULL ELSE source END,
    retry_at = clock_timestamp() + $5 * interval '1 millisecond'
  WHERE instance_id = $1 AND id = $2 AND updated = $3::timestamptz`
const BEGIN_VECTORS = `
  UPDATE knowledge SET vector_status = 'processing' WHERE instance_id = $1 AND id = $2 AND ${IS_WITHOUT_VECTORS}
  RETURNING generation, tittle, attempts`
const WITHOUT_VECTOR = `
  SELECT position, text FROM knowledge_chunk
  WHERE instance_id = $1 AND entry_id = $2 AND generation = $3 AND (model IS DISTINCT FROM $4 OR dimensions IS DISTINCT FROM $5)
  ORDER BY position LIMIT $6`
const STORE_VECTORS = `
  UPDATE knowledge_chunk AS c SET vector = v.vector, model = $4, dimensions = $5
  FROM unnest($6::int[], $7::bytea[]) AS v (position, vector)
  WHERE c.instance_id = $1 AND c.entry_id = $2 AND c.generation = $3 AND c.position = v.position`
// Where there is a reason, it is that no provider makes vectors. $1 instance   $2 id   $3 generation   $4 model, or null: there is none   $5 why
const FINISH_VECTORS = `
  UPDATE knowledge SET vector_status = CASE WHEN $4::text IS NULL THEN 'indexed' ELSE 'vectorized' END, vector_reason = $5, vector_code = 'no_embeddings', vectors_due = NULL,
    vector_model = COALESCE($4, ''), attempts = 0, last_vectorized = CASE WHEN $4 IS NULL THEN last_vectorized ELSE clock_timestamp() END
  WHERE instance_id = $1 AND id = $2 AND generation = $3 AND processed = updated`
const FAIL_VECTORS = `
  UPDATE knowledge SET vector_status = 'error', vector_reason = $4, vector_code = $7, attempts = attempts + 1,
    vectors_due = clock_timestamp() + $5::bigint * interval '1 millisecond', vector_model = CASE WHEN $5 IS NULL THEN $6 ELSE vector_model END
  WHERE instance_id = $1 AND id = $2 AND generation = $3 AND processed = updated`
// An entry whose text could not be read again has its vectors, and keeps the reason. $1 instance   $2 model   $3 those that failed, too
const REQUEST_VECTORS = `
  UPDATE knowledge AS k SET vectors_due = clock_timestamp(), attempts = 0
  WHERE instance_id = $1 AND active AND processed = updated AND chunks > 0
    AND (vectors_due IS NULL OR ($3::boolean AND vectors_due > clock_timestamp()))
    AND (vector_model <> $2 OR ($3 AND vector_status = 'error' AND EXISTS (
      SELECT FROM knowledge_chunk AS c WHERE c.instance_id = $1 AND c.entry_id = k.id AND c.generation = k.generation
        AND c.model || ' ' || c.dimensions IS DISTINCT FROM $2)))`

const REASON_MAX = 500

export function createKnowledgeWork(pool: pg.Pool): KnowledgeWork {
  return {
    async due(after, besides, limit) {
      return (await pool.query<DueEntry>(DUE, [after, besides, limit])).rows
    },

    async beginRead({ instance, id }) {
      return (await pool.query<UnreadEntry>(BEGIN_READ, [instance, id])).rows[0] ?? null
    },

    storeRead: (entry, read) => inTransaction(pool, (client) => storeRead(client, entry, read)),

    async failRead({ instance, id, updated }, { reason, code }, retryMs) {
      await pool.query(FAIL_READ, [instance, id, updated, reason.slice(0, REASON_MAX), retryMs, code])
    },

    async beginVectors({ instance, id }) {
      return (await pool.query<VectorWork>(BEGIN_VECTORS, [instance, id])).rows[0] ?? null
    },

    async withoutVector({ instance, id }, { generation }, { model, dimensions }, limit) {
      const values = [instance, id, generation, model, dimensions, limit]
      return (await pool.query<ChunkWithoutVector>(WITHOUT_VECTOR, values)).rows
    },

    async storeVectors({ instance, id }, { generation }, { model, dimensions }, vectors) {
      const bytes = [...vectors.values()].map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))
      const positions = intArray([...vectors.keys()])
      await pool.query(STORE_VECTORS, [instance, id, generation, model, dimensions, positions, bytesArray(bytes)])
    },

    async finishVectors({ instance, id }, { generation }, space, reason = '') {
      const model = space === null ? null : spaceName(space)
      await pool.query(FINISH_VECTORS, [instance, id, generation, model, reason.slice(0, REASON_MAX)])
    },

    async failVectors({ instance, id }, { generation }, space, { reason, code, retryMs }) {
      const model = space === null ? '' : spaceName(space)
      await pool.query(FAIL_VECTORS, [instance, id, generation, reason.slice(0, REASON_MAX), retryMs, model, code])
    },

    async requestVectors(instance, space, again = false) {
      const { rowCount } = await pool.query(REQUEST_VECTORS, [instance, wantedModel(space), again])
      return (rowCount ?? 0) > 0
    },
  }
}

/** Returns the model of entries that have their vectors. No entry has `unknown`. */
function wantedModel(space: VectorSpace | null | 'unknown'): string {
  if (space === 'unknown') return space
  return space === null ? '' : spaceName(space)
}

async function storeRead(
  client: pg.PoolClient,
  { instance, id, updated, tittle }: UnreadEntry,
  { chunks, language, text, isForVectors }: ReadEntry,
): Promise<'stored' | 'edited' | { readonly refused: string }> {
  const room = await client.query<{ chunks: number; bytes: number }>(ROOM, [instance, id])
  const refused = noRoom(room.rows[0] ?? { chunks: 0, bytes: 0 }, chunks.length, tittle + (text ?? ''))
  if (refused !== null) return { refused }
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  const values = [instance, id, updated, text, chunks.length, tokens, language, isForVectors]
  const [row] = (await client.query<{ generation: number }>(FINISH_READ, values)).rows
  if (row === undefined) return 'edited'
  await client.query('DELETE FROM knowledge_chunk WHERE instance_id = $1 AND entry_id = $2', [instance, id])
  await client.query(INSERT_CHUNKS, [
    instance,
    id,
    row.generation,
    textArray(chunks.map((chunk) => chunk.text)),
    textArray(chunks.map((chunk) => chunk.words)),
    intArray(chunks.map((chunk) => chunk.overlap)),
    language,
    tittle,
  ])
  return 'stored'
}

/** Returns the reason if the chunks, or the text that becomes the content, do not fit beside the other entries; else null. */
function noRoom(
  others: { readonly chunks: number; readonly bytes: number },
  chunks: number,
  text: string,
): string | null {
  if (others.chunks + chunks > KNOWLEDGE_CHUNKS_MAX)
    return `All entries together have at most ${KNOWLEDGE_CHUNKS_MAX} parts of text: this one has ${chunks}, the others ${others.chunks}.`
  const bytes = Buffer.byteLength(text)
  if (others.bytes + bytes > knowledgeLimit.bytesMax)
    return `All entries together hold at most ${knowledgeLimit.bytesMax} bytes: this one has ${bytes}, the others ${others.bytes}.`
  return null
}
