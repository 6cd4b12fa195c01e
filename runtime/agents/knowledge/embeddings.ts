import { ModelError } from '../../../schemas/agents/models.js'
import type { VectorSpace } from '../../../schemas/agents/vector-space.js'
import type { InstanceId } from '../../../schemas/ids.js'

/** The model that makes vectors of an instance's knowledge. */
export interface EmbeddingModel extends VectorSpace {
  /** @throws ModelError, NoEmbeddings, or the signal's reason */
  embed(purpose: 'query' | 'document', texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
}

export interface Embeddings {
  /** Returns null if the instance has no provider with embeddings, or none whose length of vectors is known. Asks no provider. */
  of(instance: InstanceId): Promise<EmbeddingModel | null>
  /**
   * As `of`, and asks servers of which it is not known whether they have embeddings. `none`: why there are none, for people; empty: nobody was asked.
   * @throws ModelError if such a server is away, or the signal's reason
   */
  find(instance: InstanceId, signal: AbortSignal): Promise<EmbeddingModel | { readonly none: string }>
  /** Returns false if the instance has no provider that may have embeddings, not even one that was found to have none. */
  isPossible(instance: InstanceId): Promise<boolean>
}

/** The server at an agent's `baseUrl` makes no vectors of any text. It is not asked again until the agent is edited. */
export class NoEmbeddings extends ModelError {
  constructor(message: string) {
    super('refused', message)
    this.name = 'NoEmbeddings'
  }
}
