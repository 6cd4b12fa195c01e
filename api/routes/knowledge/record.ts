import type { Knowledge } from '../../../schemas/generated.js'
import type { KnowledgeRow } from '../../../schemas/ports/records.js'

/** Returns the record of an entry. Nothing reads entries by their meaning yet. */
export function knowledgeRecord(row: KnowledgeRow, owner: string): Knowledge {
  const { id, active, tittle, content, priority, created, updated } = row
  return {
    id,
    active,
    tittle,
    content,
    vectorStatus: 'pending',
    isVectorized: false,
    lastVectorizedAt: 0,
    owner,
    priority,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}
