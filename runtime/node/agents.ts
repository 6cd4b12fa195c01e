import type { AgentServers, TurnSlots } from '../../actors/agents/turn-ports.js'
import { createAgentDirectory } from '../store/agents/agent-directory.js'
import type { NodeContext } from './context.js'
import type { Directories } from './directories.js'
import type { Stores } from './stores.js'

/** Puts together what the agents of this node's instances use. */
export function createAgentServers(
  { config }: NodeContext,
  { database, encryption }: Stores,
  { instances }: Pick<Directories, 'instances'>,
  { models, knowledge }: Pick<AgentServers, 'models' | 'knowledge'>,
): AgentServers {
  const { turns } = config.agents
  return {
    models,
    knowledge,
    directory: createAgentDirectory(database.actorsPool, encryption, instances.noteWritten),
    limits: {
      atOnceMax: turns.perInstanceMax,
      turnsPerDay: turns.perDay,
      tokensPerDay: turns.tokensPerDay,
      turnsPerChatHour: turns.perChatHour,
      answerMs: turns.answerMaxMs,
      callMs: turns.modelTimeoutMs,
    },
    slots: createTurnSlots(turns.perNodeMax),
  }
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
