/** The phone's quick replies, in the order of the changes. */
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// $1 instance   $2 id   $3 shortcut   $4 text
const KEEP = `
  INSERT INTO quick_reply AS q (instance_id, id, is_of_phone, shortcut, type, text, file, doc_name)
  VALUES ($1, $2, true, $3, 'text', $4, '', '')
  ON CONFLICT (instance_id, is_of_phone, id) DO UPDATE SET shortcut = EXCLUDED.shortcut, text = EXCLUDED.text, updated = now()
  WHERE (q.shortcut, q.text) IS DISTINCT FROM (EXCLUDED.shortcut, EXCLUDED.text)`
// $1 instance   $2 ids
const FORGET = 'DELETE FROM quick_reply WHERE instance_id = $1 AND is_of_phone AND id = ANY($2::text[])'

export const quickReplies = {
  types: ['quickReply'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    return writes.flatMap(({ instance, changes }) =>
      changes.flatMap((change) => {
        if (change.type !== 'quickReply') return []
        const { id, shortcut, text, isDeleted } = change.quickReply
        return [
          isDeleted
            ? client.query(FORGET, [instance, textArray([id])])
            : client.query(KEEP, [instance, id, shortcut, text]),
        ]
      }),
    )
  },
} as const satisfies RowKind
