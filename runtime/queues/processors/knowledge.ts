import type { KnowledgeIndex } from '../../agents/knowledge/knowledge-index.js'
import type { Processor } from '../processor.js'

export const KNOWLEDGE = 'knowledge'

/** Finds entries that nobody asked for: of an import, of a node of a former release, or after a crash. */
const EVERY_MS = 60_000
/** Time after which another node takes over from one that died. */
const CLAIM_MS = 15_000

/** Reads entries of knowledge and makes their vectors. */
export function knowledgeJob(index: KnowledgeIndex): Processor {
  return {
    name: KNOWLEDGE,
    everyMs: EVERY_MS,
    claimMs: CLAIM_MS,
    async run(signal) {
      await index.run(signal)
      return {}
    },
  }
}
