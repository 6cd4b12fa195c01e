import type { AgentUsageDay, AgentUsageQuery, AgentUsageReply } from '../../../schemas/generated.js'
import type { UsageDay } from '../../../schemas/ports/agent-turns.js'
import { instanceRoute } from '../../route.js'

const MILLION = 1_000_000

export const showUsage = instanceRoute<undefined, AgentUsageQuery>({
  method: 'GET',
  path: '/agent/usage',
  isSearch: true,
  name: 'showAgentUsage',
  area: 'Agent',
  scope: 'read',
  summary: 'Show turns, tokens and money of the day, with their limits',
  schema: 'agent/usage.json',
  errors: [],
  async handle({ instance, query: { days: count = 1 } }, { ports }): Promise<AgentUsageReply> {
    const { limits, resetsAtMs, days } = await ports.agentTurns.usage(instance.id, count)
    return {
      limits: { turns: limits.turns, tokens: limits.tokens, cost: limits.costMicros / MILLION },
      resetsAt: resetsAtMs,
      days: days.map(dayRecord),
    }
  },
})

function dayRecord({ costMicros, ...day }: UsageDay): AgentUsageDay {
  return { ...day, cost: costMicros / MILLION }
}
