import type { Knowledge } from '../../../schemas/generated.js'
import type { KnowledgeRow } from '../../../schemas/ports/knowledge.js'

/** Returns the record of an entry. */
export function knowledgeRecord(row: KnowledgeRow, owner: string): Knowledge {
  const { id, active, tittle, content, priority, created, updated, vectorStatus, vectorReason, lastVectorized } = row
  return {
    id,
    active,
    tittle,
    content,
    vectorStatus,
    ...(vectorStatus === 'error' || vectorReason !== '' ? { vectorError: vectorReason } : {}),
    isVectorized: vectorStatus === 'vectorized',
    lastVectorizedAt: lastVectorized?.getTime() ?? 0,
    owner,
    priority,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}
