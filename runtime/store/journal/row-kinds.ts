/** The kinds of changes that stand alone. A new one is a module of its own and a line here. */
import { agentCalls } from './agent-calls.js'
import type { Write } from './batch.js'
import { blocklists } from './blocklist-changes.js'
import { campaigns } from './campaign-changes.js'
import { groups } from './group-changes.js'
import { connectionHistory, numberChecks, pacing, requeues } from './instance-rows.js'
import { quickReplies } from './quick-reply-changes.js'
import type { RowKind } from './row-kind.js'
import { scheduledSends } from './scheduled-changes.js'
import { statusPosts } from './status-posts.js'

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
