/** The port of the servers with language models, for agents, knowledge and transcription. */
import type { InstanceId } from '../ids.js'

export type Provider = 'openai' | 'anthropic' | 'gemini' | 'deepseek' | 'custom'

/** A model, the server that runs it, and the instance that pays for it. */
export interface ModelAddress {
  readonly instance: InstanceId
  readonly provider: Provider
  readonly model: string
  /** Null: the provider's own address. `custom` has none, so it needs one. */
  readonly baseUrl: string | null
  /** `''` is refused, except for `custom`: many local servers need no key. */
  readonly apiKey: string
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly bytes: Uint8Array; readonly mimetype: string }

export interface ModelCall {
  /** Unique within its conversation. It is made here where the provider gives none. */
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. It may be broken. */
  readonly arguments: string
}

export interface ModelCallResult {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly isError: boolean
}

/**
 * Messages of system stand at the beginning. Each call of an assistant has its result in the next message. Messages of one role that follow
 * each other are joined, since some servers refuse them.
 */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly ModelPart[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly ModelCall[]
      /** `ModelAnswer.raw` of this message, or null. It counts only for the provider that made it. */
      readonly raw: unknown
    }
  | { readonly role: 'tool'; readonly results: readonly ModelCallResult[] }

export interface ModelTool {
  /** Letters, digits, `_` and `-`, a letter or `_` first, at most 64. */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
}

/** One question to a model. Scales are 0 to 1, and are left out where the model refuses them. */
export interface ModelStep {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** `none` keeps the tools in the request, since a history with calls needs them. */
  readonly toolChoice: 'auto' | 'none'
  /** Maximum of tokens of the visible answer. Room for hidden reasoning comes on top where a model needs it. */
  readonly maxTokens: number
  readonly temperature?: number
  readonly topP?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  /** Names the end user to providers that ask for it: a hash, at most 64 characters. */
  readonly safetyId?: string
}

export interface ModelUsage {
  readonly inputTokens: number
  /** With hidden reasoning. */
  readonly outputTokens: number
  /** The provider did not count, so the numbers come from lengths. */
  readonly isEstimate: boolean
}

export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly finish: 'stop' | 'length' | 'calls' | 'blocked' | 'other'
  readonly usage: ModelUsage
  /** Sentences for the owner of the agent: settings that were left out, pictures that were. */
  readonly warnings: readonly string[]
  /** JSON for `ModelMessage.raw`: signatures and reasoning that the provider wants back. */
  readonly raw: unknown
}

export interface ModelCallOptions {
  readonly signal: AbortSignal
  /** For waiting, connecting and the whole answer. Default 60000. */
  readonly timeoutMs?: number
}

/**
 * - `temporary` try later: away, slow, too many requests, or a broken answer
 * - `refused` the request is wrong for this model, and stays wrong
 * - `key` the key is wrong, or may not use the model
 * - `quota` no money or quota is left
 * - `too_long` the messages do not fit the model
 * - `blocked` the provider refuses the content
 * - `address` the base URL is not allowed
 */
export type ModelErrorKind = 'temporary' | 'refused' | 'key' | 'quota' | 'too_long' | 'blocked' | 'address'

export interface ModelErrorFacts {
  /** Time for which the provider wants to be left alone, or null. 0: a repetition is sent differently and may succeed at once. */
  readonly retryAfterMs?: number | null
  /** HTTP status, or null if there was no answer. */
  readonly status?: number | null
  /** The request may have reached the model, so that it may have cost tokens. Default false. */
  readonly isPerhapsCounted?: boolean
}

/** A call that failed. Its message is for the owner of the agent and holds no prompt, no answer and no key. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind
  readonly retryAfterMs: number | null
  readonly status: number | null
  readonly isPerhapsCounted: boolean

  constructor(kind: ModelErrorKind, message: string, facts: ModelErrorFacts = {}) {
    super(message)
    this.name = 'ModelError'
    this.kind = kind
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.status = facts.status ?? null
    this.isPerhapsCounted = facts.isPerhapsCounted ?? false
  }
}

/** Each call is at most one HTTP request and is never repeated here. All methods but `takesImages` throw ModelError, or the signal's reason. */
export interface AgentModels {
  generate(address: ModelAddress, step: ModelStep, options: ModelCallOptions): Promise<ModelAnswer>
  /**
   * Returns a normalised vector for each text, in order. At most 100 texts, none empty.
   * `dimensions` 0: as the server has it. Anthropic and DeepSeek have no embeddings: `refused`.
   */
  embed(
    address: ModelAddress,
    texts: readonly string[],
    options: ModelCallOptions & { readonly purpose: 'query' | 'document'; readonly dimensions: number },
  ): Promise<{ readonly vectors: readonly Float32Array[]; readonly usage: ModelUsage }>
  /** Only `openai` and `custom` transcribe. At most 25 MB. `seconds`: length of the recording, if the server tells. */
  transcribe(
    address: ModelAddress,
    file: { readonly bytes: Uint8Array; readonly mimetype: string },
    options: ModelCallOptions,
  ): Promise<{ readonly text: string; readonly seconds: number | null; readonly usage: ModelUsage }>
  /** Asks a question of a few tokens, which shows whether key, model and address are good. */
  check(address: ModelAddress, options: ModelCallOptions): Promise<void>
  takesImages(address: ModelAddress): boolean
}
