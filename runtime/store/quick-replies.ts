/** Quick replies. Those that are kept here are edited by the API on any node: no actor has them in memory. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { QuickReplyDirectory, QuickReplyRow } from '../../schemas/ports/records.js'
import { quickReplyLimit } from '../../schemas/record-limits.js'
import { writeOnce } from './in-transaction.js'
import { limitedSave } from './limited-save.js'

const COLUMNS = 'id, is_of_phone AS "isOfPhone", shortcut, type, text, file, doc_name AS "docName", created, updated'
// The row of the instance is held: one that is being deleted gets no more rows.
const SAVE = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE)
  INSERT INTO quick_reply (instance_id, id, is_of_phone, shortcut, type, text, file, doc_name)
  SELECT id, $2, false, $3, $4, $5, $6, $7 FROM held
  ON CONFLICT (instance_id, is_of_phone, id) DO UPDATE SET shortcut = EXCLUDED.shortcut, type = EXCLUDED.type, text = EXCLUDED.text,
    file = EXCLUDED.file, doc_name = EXCLUDED.doc_name, updated = now()
  RETURNING id`

export function createQuickReplies(pool: pg.Pool): QuickReplyDirectory {
  return {
    async list(instance) {
      const text = `SELECT ${COLUMNS} FROM quick_reply WHERE instance_id = $1 ORDER BY created, is_of_phone, id`
      return (await pool.query<QuickReplyRow>(text, [instance])).rows
    },

    async find(instance, id) {
      const query = `SELECT ${COLUMNS} FROM quick_reply WHERE instance_id = $1 AND id = $2 ORDER BY created, is_of_phone LIMIT 1`
      return (await pool.query<QuickReplyRow>(query, [instance, id])).rows[0] ?? null
    },

    async save(instance, id, { shortcut, type, text, file, docName }) {
      const known = id ?? `r${randomBytes(8).toString('hex')}`
      const saved = await limitedSave(pool, {
        limit: quickReplyLimit,
        table: 'quick_reply',
        among: 'NOT is_of_phone',
        instance,
        id: known,
        texts: { shortcut, text, file, doc_name: docName },
        field: file === '' ? 'text' : 'file',
        text: SAVE,
        values: [instance, known, shortcut, type, text, file, docName],
      })
      if (saved.length === 0) throw new GatewayError('INSTANCE_NOT_FOUND')
    },

    async delete(instance, id) {
      const text = 'DELETE FROM quick_reply WHERE instance_id = $1 AND NOT is_of_phone AND id = $2'
      await writeOnce(pool, text, [instance, id])
    },
  }
}
