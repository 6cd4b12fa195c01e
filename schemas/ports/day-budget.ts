/** The budget of an instance's agents for a UTC day, for calls of models besides turns. Types only. */
import type { ModelUsage } from '../agents/models.js'
import type { InstanceId } from '../ids.js'

/** Prices of a million tokens, in millionths, or which ones of the instance's settings; 0: it has none. */
export type CallPrices = 'embedding' | 'transcription' | { readonly input: number; readonly output: number }

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
