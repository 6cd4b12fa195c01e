import { isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import type {
  AgentListReply,
  AgentTurn,
  AgentTurnQuery,
  AgentTurnsReply,
  AgentUsageDay,
  AgentUsageQuery,
  AgentUsageReply,
  RetryTurnReply,
  RetryTurnRequest,
  TestAgentReply,
  TestAgentRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { TurnRow, UsageDay } from '../../../schemas/ports/agents.js'
import { instanceRoute, type Route } from '../../route.js'
import { agentRecord, editAgent } from './edit.js'

const listTurns = instanceRoute<undefined, AgentTurnQuery>({
  method: 'GET',
  path: '/agent/turns',
  isSearch: true,
  name: 'listTurns',
  area: 'Agent',
  scope: 'read',
  summary: 'List the turns of agents, with their states, reasons, tokens and cost',
  schema: 'agent/turns.json',
  errors: ['INVALID_NUMBER'],
  async handle({ instance, query }, { ports }): Promise<AgentTurnsReply> {
    const { chatid, state, trace = false, limit = 50, cursor = '' } = query
    const which = { ...(chatid === undefined ? {} : { chatid }), ...(state === undefined ? {} : { state }) }
    const { turns, next } = await ports.agentTurns.list(instance.id, { ...which, trace, limit, cursor })
    return { turns: turns.map(turnRecord), next }
  },
})

function turnRecord({
  triggerId,
  agentId,
  attempt,
  costMicros,
  due,
  created,
  updated,
  ended,
  steps,
  replies,
  ...turn
}: TurnRow): AgentTurn {
  return {
    ...turn,
    error: turn.error.slice(0, 2_000),
    trigger_id: triggerId,
    agent_id: agentId,
    attempts: attempt,
    cost: costMicros / MILLION,
    due: due.getTime(),
    created: created.getTime(),
    updated: updated.getTime(),
    ended: ended?.getTime() ?? null,
    ...(steps === undefined
      ? {}
      : {
          steps: steps.map(({ turnId: _, ...step }) => ({
            ...step,
            warnings: [...step.warnings],
            calls: [...step.calls],
          })),
        }),
    ...(replies === undefined
      ? {}
      : { replies: replies.map(({ part, text, messageid, state }) => ({ part, text, messageid, state })) }),
  }
}

const MILLION = 1_000_000

const showUsage = instanceRoute<undefined, AgentUsageQuery>({
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

const testAgent = instanceRoute<TestAgentRequest>({
  method: 'POST',
  path: '/agent/test',
  name: 'testAgent',
  area: 'Agent',
  scope: 'token',
  summary: 'Try an agent without sending anything',
  schema: 'agent/test.json',
  errors: ['AGENT_NOT_FOUND', 'RATE_LIMITED', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<TestAgentReply> {
    const { agent_id: agentId, messages, runFunctions = false, placeholders = {} } = body
    if (messages.at(-1)?.role !== 'user') throw invalidField('messages', 'must end with a message of the user')
    const stranger = Object.keys(placeholders).find((name) => !isReserved(name))
    if (stranger !== undefined)
      throw invalidField(
        'placeholders',
        `has ${JSON.stringify(stranger)}, which is no placeholder that the gateway fills`,
      )
    return await ports.agentTrials.run(instance, { agentId, messages, runFunctions, placeholders })
  },
})

const listAgents = instanceRoute({
  method: 'GET',
  path: '/agent/list',
  isSearch: true,
  name: 'listAgents',
  area: 'Agent',
  scope: 'read',
  summary: 'List the agents',
  schema: 'agent/list.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<AgentListReply> {
    return (await ports.agents.agents(instance.id)).map((row) => agentRecord(row, instance.owner))
  },
})

const retryTurn = instanceRoute<RetryTurnRequest>({
  method: 'POST',
  path: '/agent/turns/retry',
  name: 'retryTurn',
  area: 'Agent',
  scope: 'token',
  summary: 'Answer the messages of a turn that gave no answer',
  schema: 'agent/retry-turn.json',
  errors: ['TURN_NOT_FOUND', 'TURN_NOT_RETRYABLE', 'INSTANCE_MOVING'],
  async handle({ instance, body: { id } }, { ports }): Promise<RetryTurnReply> {
    return await ports.router.ask(instance.id, { type: 'retryTurn', id })
  },
})

/** Routes of the area, in the order of the documentation. */
export const agentRoutes: readonly Route[] = [editAgent, listAgents, testAgent, listTurns, retryTurn, showUsage]
