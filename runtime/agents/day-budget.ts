import { ModelError } from '../../schemas/agents/models.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DayBudget } from '../../schemas/ports/agents.js'
import type { DayUsageStore, Reserved } from '../store/agents/day-usage.js'

export interface DayBudgetOptions {
  readonly usage: DayUsageStore
  /** Called when the owner of an instance is to emit an event about its budget. */
  readonly onNews: (instance: InstanceId) => void
}

const NOTHING = { in: 0, out: 0 }

/** Reserves tokens before each call, and settles them after it, so that calls side by side do not exceed the budget. */
export function createDayBudget({ usage, onNews }: DayBudgetOptions): DayBudget {
  async function settle(instance: InstanceId, reserved: Reserved, used: typeof NOTHING): Promise<void> {
    if (await usage.settle(instance, reserved, used)) onNews(instance)
  }

  return {
    async spend(planned, call) {
      const { instance } = planned
      const reserved = await usage.reserve(planned)
      if (reserved === null) throw new ModelError('refused', 'The instance has been deleted.')
      if ('refused' in reserved) {
        if (reserved.isNews) onNews(instance)
        const part = (planned.leaves ?? 0) === 0 ? 'The budget' : 'The part of the budget for vectors of knowledge'
        const why = `${part} of the day is used up (${reserved.refused}); it starts again at midnight UTC.`
        throw new ModelError('quota', why, { retryAfterMs: reserved.leftMs })
      }
      const answer = await call().catch(async (error: unknown) => {
        const isFree = error instanceof ModelError && !error.isPerhapsCounted
        // The failure of the call matters more than one of the store, which leaves the tokens reserved.
        if (isFree) await settle(instance, reserved, NOTHING).catch(() => {})
        throw error
      })
      const { inputTokens, outputTokens } = answer.usage
      // The answer was paid for. If it cannot be counted, it counts as planned.
      await settle(instance, reserved, { in: inputTokens, out: outputTokens }).catch(() => {})
      return answer
    },
  }
}
