import type { VectorSpace } from '../../../schemas/agents/vector-space.js'
import type { InstanceId } from '../../../schemas/ids.js'

/** The model that makes vectors of an instance's knowledge. */
export interface EmbeddingModel extends VectorSpace {
  /** @throws ModelError, or the signal's reason */
  embed(purpose: 'query' | 'document', texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
}

export interface Embeddings {
  /** Returns null if the instance has no key of a provider with embeddings. */
  of(instance: InstanceId): Promise<EmbeddingModel | null>
}
