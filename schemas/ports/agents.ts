/** Turns of agents, as the API lists them. Types only. */

import type { KnowledgeFileType } from '../agents/knowledge-content.js'
import type { ModelUsage } from '../agents/models.js'
import type { TurnReason, TurnReply, TurnState } from '../agents/turns.js'
import type { Knowledge, TestAgentReply, TestFunctionReply } from '../generated.js'
import type { InstanceId } from '../ids.js'
import type { InstanceRow } from './instances.js'
import type { Recorded } from './records.js'

export interface TurnQuery {
  /** JID of a chat. */
  readonly chatid?: string
  readonly state?: TurnState
  /** With steps and messages. */
  readonly trace: boolean
  readonly limit: number
  /** The `next` of the page before. */
  readonly cursor: string
}

/** A call of a function or of another tool that the model asked for, as people see it. */
export interface TurnCallRow {
  readonly name: string
  /** JSON text. Values of arguments that are named like secrets are masked. */
  readonly arguments: string
  /** `started`: its result is not stored. `planned`: it was not made. */
  readonly state: 'planned' | 'started' | 'done'
  /** Beginning of the text that the model got. */
  readonly result: string
  readonly isError: boolean
  /** Of an HTTP call. */
  readonly endpoint?: string
  readonly status?: number
  readonly durationMs?: number
}

/** An answer of the model, as people see it. */
export interface TurnStepRow {
  readonly turnId: string
  readonly generation: number
  readonly number: number
  readonly text: string
  readonly finish: string
  readonly tokensIn: number
  readonly tokensOut: number
  readonly isEstimate: boolean
  readonly warnings: readonly string[]
  readonly ms: number
  readonly calls: readonly TurnCallRow[]
}

export interface TurnRow {
  readonly id: string
  readonly chatid: string
  readonly state: TurnState
  readonly reason: TurnReason | ''
  readonly error: string
  readonly triggerId: string
  readonly agentId: string
  readonly attempt: number
  readonly generation: number
  readonly isFallback: boolean
  readonly tokensIn: number
  readonly tokensOut: number
  /** By the prices of its agent at the time of each call, in millionths of their currency. */
  readonly costMicros: number
  readonly due: Date
  readonly created: Date
  readonly updated: Date
  readonly ended: Date | null
  /** Absent without trace. */
  readonly steps?: readonly TurnStepRow[]
  readonly replies?: readonly TurnReply[]
}

/** Maximum of an instance and a UTC day. */
export interface DayMaximum {
  readonly turns: number
  readonly tokens: number
}

/** The work of an instance's agents on a UTC day. */
export interface UsageDay {
  /** Such as `2026-01-31`. */
  readonly day: string
  readonly turns: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Of calls that are under way, or whose answer was lost. */
  readonly tokensReserved: number
  readonly costMicros: number
}

export interface UsageReport {
  /** `costMicros` 0: any. */
  readonly limits: DayMaximum & { readonly costMicros: number }
  /** When the next day begins. */
  readonly resetsAtMs: number
  /** Today, and earlier days that agents worked on, the newest first. */
  readonly days: readonly UsageDay[]
}

export interface TurnDirectory {
  /** The newest first. @throws GatewayError INVALID_NUMBER */
  list(
    instance: InstanceId,
    query: TurnQuery,
  ): Promise<{ readonly turns: readonly TurnRow[]; readonly next: string | null }>
  /** Returns the usage of so many UTC days, today included. */
  usage(instance: InstanceId, days: number): Promise<UsageReport>
}

/** Trials of agents, as the API asks for them. */

export interface TrialRequest {
  readonly agentId: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** False: no function is called. */
  readonly runFunctions: boolean
  /** Values of reserved placeholders of the chat. */
  readonly placeholders: Readonly<Record<string, string>>
}

export interface AgentTrials {
  /**
   * Runs a turn without sending or storing anything. A failure of the provider is a part of the reply.
   * @throws GatewayError AGENT_NOT_FOUND, RATE_LIMITED
   */
  run(instance: Pick<InstanceRow, 'id' | 'name' | 'owner'>, request: TrialRequest): Promise<TestAgentReply>
}

/** Calls of functions that their owners try. */

export interface FunctionTrials {
  /**
   * Calls a function with arguments as a model writes them. It need not be active. What a model would be told of an error is a reply too.
   * @throws GatewayError FUNCTION_NOT_FOUND; INVALID_REQUEST: it has errors
   */
  run(
    instance: Pick<InstanceRow, 'id' | 'name' | 'owner'>,
    id: string,
    given: {
      /** JSON. */
      readonly arguments: string
      /** Values of reserved placeholders of the chat. */
      readonly placeholders: Readonly<Record<string, string>>
    },
  ): Promise<TestFunctionReply>
}

/** The budget of an instance's agents for a UTC day, for calls of models besides turns. */

/** Prices of a million tokens, in millionths, or which ones of the instance's settings; 0: it has none. */
type CallPrices = 'embedding' | 'transcription' | { readonly input: number; readonly output: number }

export interface PlannedSpending {
  readonly instance: InstanceId
  /** Maximum that the call is expected to use. */
  readonly tokens: number
  readonly prices: CallPrices
  /** Part of the budget's tokens and money that such calls leave to others; default 0. */
  readonly leaves?: number
}

export interface DayBudget {
  /**
   * Makes a call within the budget, and counts what it used. A call without an answer that may have cost tokens counts as planned.
   * @throws ModelError `quota` when the budget is used up, and what the call throws
   */
  spend<T extends { readonly usage: ModelUsage }>(planned: PlannedSpending, call: () => Promise<T>): Promise<T>
}

/** Files of messages, as agents show them to models. */

/** Methods never reject. A file that cannot be had, or not before the signal ends, is left out. */
export interface TurnFiles {
  /** Returns a small JPEG; null if there is none. `message`: internal id. */
  picture(
    instance: InstanceId,
    message: string,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly mimetype: string } | null>
  /** Returns the words of a recording or a document, which are stored with the message. */
  words(instance: InstanceId, message: string, signal: AbortSignal): Promise<FileWords>
}

export interface FileWords {
  /** Null: they are not known. */
  readonly text: string | null
  /** Name of the file, such as `voice note, 14 min`; null if nothing is known about it. */
  readonly note: string | null
  /** Why they are not known, for the owner of the agent; null if nothing is said about it. */
  readonly why: string | null
}

/** Texts of recordings, and the port that makes them. */

/** Whose recording of a message it is. */
type SpokenFile = 'own' | 'quoted'

export interface MessageTexts {
  /** `message`: internal id. Null: there is none. */
  read(instance: InstanceId, message: string, file?: SpokenFile): Promise<string | null>
  /** The first text stays. */
  write(instance: InstanceId, message: string, text: string, file?: SpokenFile): Promise<void>
}

export interface Recording {
  /** Internal id of its message. */
  readonly message: string
  readonly file: SpokenFile
  /** Length by its sender; null if unknown. */
  readonly seconds: number | null
}

export interface Transcriptions {
  /**
   * Returns the text of a recording, of at most 25 MB and 10 minutes. It is stored: the provider is asked once.
   * `apiKey` null: that of the instance's settings.
   * @throws GatewayError TRANSCRIPTION_REFUSED, TRANSCRIPTION_UNAVAILABLE, MEDIA_TOO_LARGE, and as `MediaService.open`
   */
  of(instance: InstanceId, recording: Recording, apiKey: string | null): Promise<string>
}

/** Knowledge of agents: its entries as callers edit them, and the search. */

/**
 * - `''` inactive, and never read
 * - `pending` to be read
 * - `processing` being read
 * - `indexed` found by its words; there is no provider with embeddings
 * - `vectorized` found by its meaning too
 * - `error` see the reason
 */
type VectorStatus = '' | 'pending' | 'processing' | 'indexed' | 'vectorized' | 'error'

/** Why an entry was not read, or has no vectors. */
export type KnowledgeFailureCode = Exclude<NonNullable<Knowledge['vectorCode']>, ''>

export interface KnowledgeFailure {
  /** For people. */
  readonly reason: string
  readonly code: KnowledgeFailureCode
}

interface KnowledgeFields {
  readonly active: boolean
  readonly tittle: string
  readonly content: string
  readonly fileType: KnowledgeFileType | ''
  readonly priority: number
}

export interface KnowledgeRow extends KnowledgeFields, Recorded {
  readonly vectorStatus: VectorStatus
  /** Why the status is `error`, or why there are no vectors; else empty. */
  readonly vectorReason: string
  /** Empty: nothing failed, or a node of the former release wrote the reason. */
  readonly vectorCode: KnowledgeFailureCode | ''
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
