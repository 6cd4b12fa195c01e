/** The kinds of changes that stand alone. A new one is a module of its own and a line here. */

import { textArray } from '../arrays.js'
import { agentCalls } from './agent-calls.js'
import type { Write } from './batch.js'
import { blocklists } from './blocklist-changes.js'
import { campaigns } from './campaign-changes.js'
import type { Statements } from './connection.js'
import { groups } from './group-changes.js'
import { connectionHistory, numberChecks, pacing, requeues } from './instance-rows.js'
import type { RowKind } from './row-kind.js'
import { scheduledSends } from './scheduled-changes.js'
import { statusPosts } from './status-posts.js'

/** The phone's quick replies, in the order of the changes. */

// $1 instance   $2 id   $3 shortcut   $4 text
const KEEP = `
  INSERT INTO quick_reply AS q (instance_id, id, is_of_phone, shortcut, type, text, file, doc_name)
  VALUES ($1, $2, true, $3, 'text', $4, '', '')
  ON CONFLICT (instance_id, is_of_phone, id) DO UPDATE SET shortcut = EXCLUDED.shortcut, text = EXCLUDED.text, updated = now()
  WHERE (q.shortcut, q.text) IS DISTINCT FROM (EXCLUDED.shortcut, EXCLUDED.text)`
// $1 instance   $2 ids
const FORGET = 'DELETE FROM quick_reply WHERE instance_id = $1 AND is_of_phone AND id = ANY($2::text[])'

const quickReplies = {
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

/** In the order in which their statements run. */
const kinds = [
  blocklists,
  groups,
  quickReplies,
  connectionHistory,
  pacing,
  requeues,
  scheduledSends,
  campaigns,
  numberChecks,
  statusPosts,
  agentCalls,
] as const

/** The types of the changes of these kinds. */
export type RowKindType = (typeof kinds)[number]['types'][number]

const kindsByType = new Map<string, RowKind>(kinds.flatMap((kind) => kind.types.map((type) => [type, kind] as const)))

/** Returns the kinds of which the writes hold changes, in their order. */
export function rowKindsIn(writes: readonly Write[]): readonly RowKind[] {
  const found = new Set<RowKind>()
  for (const { changes } of writes)
    for (const { type } of changes) {
      const kind = kindsByType.get(type)
      if (kind !== undefined) found.add(kind)
    }
  if (found.size <= 1) return [...found]
  return kinds.filter((kind) => found.has(kind))
}
