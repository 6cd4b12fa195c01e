import { createAgentTools } from '../../actors/agents/tools/agent-tools.js'
import type { AgentServers, TurnSlots } from '../../actors/agents/turn-ports.js'
import type { FunctionHttp } from '../../schemas/agents/tools.js'
import type { DayBudget } from '../../schemas/ports/agents.js'
import { createDayBudget } from '../agents/day-budget.js'
import { createAgentRecords } from '../store/agent-records.js'
import { createAgentDirectory } from '../store/agents/agent-directory.js'
import { createDayUsage } from '../store/agents/day-usage.js'
import type { NodeContext } from './context.js'
import type { Directories } from './directories.js'
import type { Stores } from './stores.js'

export interface AgentServerParts extends Pick<AgentServers, 'models' | 'knowledge' | 'files'> {
  readonly functions: FunctionHttp
}

/** Puts together what the agents of this node's instances use. */
export function createAgentServers(
  { config }: NodeContext,
  { database, encryption, blockedWork }: Stores,
  { instances }: Pick<Directories, 'instances'>,
  { models, knowledge, files, functions }: AgentServerParts,
): AgentServers {
  const { turns } = config.agents
  const records = createAgentRecords(database.lanes.actors, encryption)
  return {
    models,
    knowledge,
    files,
    tools: createAgentTools({ records, http: functions, knowledge }),
    directory: createAgentDirectory(database.lanes.actors, encryption, instances.noteWritten),
    limits: {
      atOnceMax: turns.perInstanceMax,
      turnsPerDay: turns.perDay,
      tokensPerDay: turns.tokensPerDay,
      turnsPerChatHour: turns.perChatHour,
      answerMs: turns.answerMaxMs,
      callMs: turns.modelTimeoutMs,
    },
    slots: createTurnSlots(turns.perNodeMax),
    blocked: blockedWork,
  }
}

/** Counts the calls of models besides those of turns in the budgets of their instances. */
export function createNodeBudget({ config, events }: NodeContext, { database }: Stores): DayBudget {
  return createDayBudget({
    usage: createDayUsage(database.pool, config.agents.turns.tokensPerDay),
    onNews: (instance) => events.emit('agentBudget', instance),
  })
}

function createTurnSlots(max: number): TurnSlots {
  let taken = 0
  return {
    take() {
      if (taken >= max) return false
      taken += 1
      return true
    },
    release() {
      taken -= 1
    },
  }
}
