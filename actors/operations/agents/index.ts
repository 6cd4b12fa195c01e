import { reloadAgents } from './reload.js'

export const agentOperations = [reloadAgents] as const
