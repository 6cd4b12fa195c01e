import type { AgentTurn, AgentTurnQuery, AgentTurnsReply } from '../../../schemas/generated.js'
import type { TurnRow } from '../../../schemas/ports/agent-turns.js'
import { instanceRoute } from '../../route.js'

const MILLION = 1_000_000

export const listTurns = instanceRoute<undefined, AgentTurnQuery>({
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
