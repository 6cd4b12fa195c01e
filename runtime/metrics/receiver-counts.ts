/** Counts attempts to deliver by webhook in memory, until they are written with the traffic of the node. */

import { TAKEN_MAX } from './traffic.js'

/** Attempts of some minutes to deliver to a webhook. */
export interface ReceiverCount {
  readonly webhookId: string
  readonly delivered: number
  readonly failed: number
  /** Of those that were taken: all together, and the slowest. */
  readonly durationMs: number
  readonly slowestMs: number
}

export interface ReceiverCounts {
  /** Counts an attempt after a call of that length. */
  attempt(webhookId: string, isTaken: boolean, durationMs: number): void
  /** Returns counts that were not returned yet: up to `TAKEN_MAX` webhooks. */
  take(): readonly ReceiverCount[]
  /** Keeps counts that could not be written for the next time. */
  putBack(counts: readonly ReceiverCount[]): void
}

/** Webhooks of a node with attempts in five minutes. Those of further ones are not counted. */
const WEBHOOKS_MAX = 50_000

export function createReceiverCounts(webhooksMax = WEBHOOKS_MAX): ReceiverCounts {
  const present = new Map<string, { -readonly [Key in keyof ReceiverCount]: ReceiverCount[Key] }>()

  function add({ webhookId, ...counts }: ReceiverCount): void {
    const known = present.get(webhookId)
    if (known === undefined) {
      if (present.size < webhooksMax) present.set(webhookId, { webhookId, ...counts })
      return
    }
    known.delivered += counts.delivered
    known.failed += counts.failed
    known.durationMs += counts.durationMs
    known.slowestMs = Math.max(known.slowestMs, counts.slowestMs)
  }

  return {
    attempt(webhookId, isTaken, durationMs) {
      const takenMs = isTaken ? Math.round(durationMs) : 0
      add({
        webhookId,
        delivered: isTaken ? 1 : 0,
        failed: isTaken ? 0 : 1,
        durationMs: takenMs,
        slowestMs: takenMs,
      })
    },
    take() {
      const taken: ReceiverCount[] = []
      for (const one of present.values()) {
        if (taken.length === TAKEN_MAX) break
        present.delete(one.webhookId)
        taken.push(one)
      }
      return taken
    },
    putBack(counts) {
      for (const one of counts) add(one)
    },
  }
}
