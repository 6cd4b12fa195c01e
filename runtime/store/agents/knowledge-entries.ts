/** Entries of knowledge. Edited by the API on any node; the job `knowledge` reads them. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { KnowledgeDirectory, KnowledgeRow } from '../../../schemas/ports/agents.js'
import { knowledgeLimit } from '../../../schemas/record-limits.js'
import { writeOnce } from '../in-transaction.js'
import { limitedSave } from '../limited-save.js'

// An edit by a node of a former release changes `updated` only.
const COLUMNS = `id, active, tittle, content, file_type AS "fileType", priority::bigint AS priority, created, updated,
  CASE WHEN processed IS NOT DISTINCT FROM updated THEN vector_status WHEN NOT active THEN ''
    WHEN vector_status IN ('processing', 'error') THEN vector_status ELSE 'pending' END AS "vectorStatus",
  vector_reason AS "vectorReason", CASE WHEN vector_reason = '' THEN '' ELSE vector_code END AS "vectorCode",
  last_vectorized AS "lastVectorized"`
// The row of the instance is held: one that is being deleted gets no more rows. `updated` of two edits of an entry is never the same.
// $1 instance   $2 id   $3 active   $4 tittle   $5 content   $6 fileType   $7 priority   $8 source   $9 read again   $10 another content
const SAVE = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE),
  dropped AS (DELETE FROM knowledge_chunk WHERE instance_id = $1 AND entry_id = $2 AND $10::boolean)
  INSERT INTO knowledge AS k (instance_id, id, active, tittle, content, file_type, priority, source, updated)
  SELECT id, $2, $3, $4, $5, $6, $7, $8, greatest(clock_timestamp(),
    (SELECT updated + interval '1 microsecond' FROM knowledge WHERE instance_id = $1 AND id = $2)) FROM held
  ON CONFLICT (instance_id, id) DO UPDATE SET active = EXCLUDED.active, tittle = EXCLUDED.tittle, content = EXCLUDED.content,
    file_type = EXCLUDED.file_type, priority = EXCLUDED.priority, updated = EXCLUDED.updated,
    source = CASE WHEN $9 THEN EXCLUDED.source ELSE k.source END,
    processed = CASE WHEN NOT $9::boolean AND k.processed = k.updated THEN EXCLUDED.updated END,
    generation = k.generation + $10::boolean::int,
    chunks = CASE WHEN $10 THEN 0 ELSE k.chunks END, tokens = CASE WHEN $10 THEN 0 ELSE k.tokens END,
    vector_status = CASE WHEN $9 THEN 'pending' ELSE k.vector_status END,
    vector_reason = CASE WHEN $9 THEN '' ELSE k.vector_reason END,
    vectors_due = CASE WHEN $9 THEN NULL ELSE k.vectors_due END,
    attempts = CASE WHEN $9 THEN 0 ELSE k.attempts END, retry_at = CASE WHEN $9 THEN NULL ELSE k.retry_at END
  RETURNING ${COLUMNS}`

/** `onUnread` is called when an entry is to be read. */
export function createKnowledgeEntries(pool: pg.Pool, onUnread: () => void): KnowledgeDirectory {
  return {
    async list(instance) {
      const text = `SELECT ${COLUMNS} FROM knowledge WHERE instance_id = $1 ORDER BY priority DESC, created, id`
      return (await pool.query<KnowledgeRow>(text, [instance])).rows
    },

    async find(instance, id) {
      const text = `SELECT ${COLUMNS} FROM knowledge WHERE instance_id = $1 AND id = $2`
      return (await pool.query<KnowledgeRow>(text, [instance, id])).rows[0] ?? null
    },

    async save(instance, id, { active, tittle, content, fileType, priority, source, isReread, isOther }) {
      const known = id ?? newId()
      const file = source === null ? null : Buffer.from(source)
      const [row] = await limitedSave<KnowledgeRow>(pool, {
        limit: knowledgeLimit,
        table: 'knowledge',
        instance,
        id: known,
        texts: { tittle, content, source: file },
        field: 'knowledge.content',
        text: SAVE,
        values: [instance, known, active, tittle, content, fileType, priority, file, isReread, isOther],
      })
      if (row === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
      if (row.vectorStatus === 'pending') onUnread()
      return row
    },

    async delete(instance, id) {
      await writeOnce(pool, 'DELETE FROM knowledge WHERE instance_id = $1 AND id = $2', [instance, id])
    },
  }
}

/** `r` and hex digits, as everywhere in records; enough that two never meet. */
function newId(): string {
  return `r${randomBytes(8).toString('hex')}`
}
