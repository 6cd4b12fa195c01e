/** The tools of an agent: what a model may call during a turn. Types only. */
import type { InstanceId } from '../ids.js'
import type { ModelCall, ModelTool } from './models.js'

/** The agent's own choice among the functions and the knowledge of its instance. Null: all active ones. */
export interface ToolChoice {
  /** Ids or names. */
  readonly functions: readonly string[] | null
  readonly knowledge: readonly string[] | null
}

/** Names a call for good: after a crash, the same call has the same place. */
export interface CallPlace {
  readonly turn: string
  /** A turn that begins again makes other calls. */
  readonly generation: number
  /** Number of the model's answer in the turn, from 0. */
  readonly step: number
  /** Number of the call in that answer, from 0. */
  readonly call: number
}

export interface ToolCallContext extends CallPlace {
  /** Values of reserved placeholders, by name (`chat.phone`). The model can neither set nor change them. */
  readonly reserved: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

/** Outcome of a call. */
export interface ToolResult {
  /** For the model. */
  readonly text: string
  readonly isError: boolean
  /** It did, or may have done, something outside that a repetition would do again. */
  readonly isEffect: boolean
  /** The conversation goes to a person. The turn ends with this message. */
  readonly transfer?: { readonly message: string }
  readonly record: CallRecord
}

/** A call for people who look into the turn. It holds no values of headers, and no arguments that are named like secrets. */
export interface CallRecord {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  /** Of an HTTP call: method and host, without path and query, in which secrets may stand. */
  readonly endpoint?: string
  readonly status?: number
  readonly durationMs?: number
  /** Why there is no good answer: a sentence. */
  readonly error?: string
}

/** The tools of one agent at one moment. */
export interface ToolSet {
  readonly tools: readonly ModelTool[]
  /** Sentences for the owner of the agent. */
  readonly warnings: readonly string[]
  /** Whether a call of which the outcome was lost may be made again: it only reads, or its function says that it may be repeated. */
  isRepeatable(name: string): boolean
  /** Whether a call may change something outside. */
  mayHaveEffect(name: string): boolean
  /** Runs one call. Never rejects, except with the reason of the signal. A function that was switched off meanwhile is not called. */
  run(call: ModelCall, context: ToolCallContext): Promise<ToolResult>
}

export interface AgentTools {
  of(instance: InstanceId, choice: ToolChoice): Promise<ToolSet>
}

/** A call as it is stored: before it is made, and again with its result. */
export interface CallRow extends CallPlace {
  readonly name: string
  /** Null: the call was started, and its result is not stored yet. */
  readonly result: ToolResult | null
}

/** One HTTP request of a function. */
export interface FunctionRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type FunctionAnswer =
  | {
      readonly isAnswered: true
      readonly statusCode: number
      readonly contentType: string
      /** Decoded; at most 64 KiB. */
      readonly text: string
      /** The answer was longer. */
      readonly isCut: boolean
    }
  | {
      readonly isAnswered: false
      /** The request did not leave us, so nothing was done. */
      readonly isNotSent: boolean
      readonly reason: 'address' | 'unreachable' | 'timeout' | 'broken' | 'busy'
    }

/** Calls the functions of instances over HTTP, within the limits of each instance. Rejects only with the reason of the signal. */
export interface FunctionHttp {
  call(instance: InstanceId, request: FunctionRequest, signal: AbortSignal): Promise<FunctionAnswer>
}
