import type pg from 'pg'
import type { MessageTexts } from '../../../schemas/ports/agents.js'

// A message that retention has deleted gets no text.
const WRITE = `
  INSERT INTO message_text (instance_id, id, file, text)
  SELECT instance_id, id, $3, $4 FROM message WHERE instance_id = $1 AND id = $2 ON CONFLICT DO NOTHING`

/** Texts of recordings. They go with their messages: see `retention.ts`. */
export function createMessageTexts(pool: pg.Pool): MessageTexts {
  return {
    async read(instance, message, file = 'own') {
      const text = 'SELECT text FROM message_text WHERE instance_id = $1 AND id = $2 AND file = $3'
      const { rows } = await pool.query<{ text: string }>(text, [instance, message, file])
      return rows[0]?.text ?? null
    },
    async write(instance, message, text, file = 'own') {
      await pool.query(WRITE, [instance, message, file, text.replaceAll('\0', '')])
    },
  }
}
