/** Knowledge of agents: its entries as callers edit them, and the search. Types only. */
import type { KnowledgeFileType } from '../agents/knowledge-content.js'
import type { InstanceId } from '../ids.js'
import type { Recorded } from './records.js'

/**
 * - `''` inactive, and never read
 * - `pending` to be read
 * - `processing` being read
 * - `indexed` found by its words; there is no provider with embeddings
 * - `vectorized` found by its meaning too
 * - `error` see the reason
 */
export type VectorStatus = '' | 'pending' | 'processing' | 'indexed' | 'vectorized' | 'error'

export interface KnowledgeFields {
  readonly active: boolean
  readonly tittle: string
  readonly content: string
  readonly fileType: KnowledgeFileType | ''
  readonly priority: number
}

export interface KnowledgeRow extends KnowledgeFields, Recorded {
  readonly vectorStatus: VectorStatus
  /** Why the status is `error`; else empty. */
  readonly vectorReason: string
  readonly lastVectorized: Date | null
}

/** An edit, as it changes what was there. */
export interface KnowledgeEdit extends KnowledgeFields {
  /** Bytes of a file; its text becomes the content. */
  readonly source: Uint8Array | null
  /** The entry must be read again. */
  readonly isReread: boolean
  /** The chunks of the former content must not be found. */
  readonly isOther: boolean
}

export interface KnowledgeDirectory {
  /** The highest priority first. */
  list(instance: InstanceId): Promise<readonly KnowledgeRow[]>
  find(instance: InstanceId, id: string): Promise<KnowledgeRow | null>
  /** A save without an id makes an entry. @throws GatewayError RECORD_LIMIT, INSTANCE_NOT_FOUND */
  save(instance: InstanceId, id: string | null, edit: KnowledgeEdit): Promise<KnowledgeRow>
  delete(instance: InstanceId, id: string): Promise<void>
}

/** Hears that an instance has other keys of providers, by which knowledge may be found by its meaning. */
export interface KnowledgeKeys {
  /** Makes vectors again that failed, or that are of a model without a key. Resolves when they are due. */
  changed(instance: InstanceId): Promise<void>
}

export interface FoundChunk {
  /** Id of its entry. */
  readonly entry: string
  readonly title: string
  /** Its place in the entry; the first is 0. */
  readonly position: number
  readonly text: string
  /** Higher is better; between 0 and 1. It compares chunks of one search only. */
  readonly score: number
}

export interface FindOptions {
  /** Ids of the entries that may be found; null: all that are active. */
  readonly entries: readonly string[] | null
  /** Default 6. */
  readonly chunksMax?: number
  /** Default 2000. */
  readonly tokensMax?: number
  readonly signal?: AbortSignal
}

export interface FoundKnowledge {
  /** The best first, or all in order if it is the whole knowledge. */
  readonly chunks: readonly FoundChunk[]
  /** These are all chunks: the knowledge is small enough to be given as a whole. */
  readonly isWhole: boolean
  /** The meaning was searched too, not only the words. */
  readonly isByMeaning: boolean
  /** A sentence for the owner of the agent, if the provider did not make the vector of the question. */
  readonly warning?: string
}

/** Finds chunks of active entries. Never rejects because a provider fails: the search goes on by words. */
export interface AgentKnowledge {
  /** For an agent: the whole knowledge if it fits 4,000 tokens. */
  find(instance: InstanceId, query: string, options: FindOptions): Promise<FoundKnowledge>
  /** For a person: the best chunks with scores, however small the knowledge is. */
  search(instance: InstanceId, query: string, options: FindOptions): Promise<FoundKnowledge>
}
