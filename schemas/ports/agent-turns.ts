/** Turns of agents, as the API lists them. Types only. */
import type { TurnReason, TurnReply, TurnState } from '../agents/turns.js'
import type { InstanceId } from '../ids.js'

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
