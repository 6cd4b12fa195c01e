import type { Route } from '../../route.js'
import { editAgent } from './edit.js'
import { listAgents } from './list.js'
import { retryTurn } from './retry-turn.js'
import { testAgent } from './test.js'
import { listTurns } from './turns.js'
import { showUsage } from './usage.js'

/** Routes of the area, in the order of the documentation. */
export const agentRoutes: readonly Route[] = [editAgent, listAgents, testAgent, listTurns, retryTurn, showUsage]
