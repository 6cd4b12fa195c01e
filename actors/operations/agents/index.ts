import { reloadAgents } from './reload.js'
import { retryTurn } from './retry-turn.js'

export const agentOperations = [reloadAgents, retryTurn] as const
