import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Reads the stored agents, triggers and settings of the chatbot again, so that the next message is judged by them, and tells of the budget of the day,
 * in which other nodes count too. Needs no connection.
 */
const reloadAgents = operation('reloadAgents', {
  repeat: true,
  example: {},
  async run({ agents, journal, agentTurns }: InstanceContext) {
    await agents.reload()
    // An owner that has lost the instance fails here, and the call goes to the next one.
    await journal.write([{ type: 'instance', set: {} }])
    await agentTurns?.tellBudget()
    return {}
  },
})

/** Opens a turn for the messages of one that gave no answer. Needs no connection: the turn waits for one. */
const retryTurn = operation('retryTurn', {
  // Two turns of one chat are never open, but the first may have ended.
  repeat: false,
  example: { id: 'r0123456789abcd' },
  async run({ agentTurns }: InstanceContext, { id }: { readonly id: string }) {
    if (agentTurns === null) throw new GatewayError('TURN_NOT_FOUND')
    return { id: await agentTurns.retry(id) }
  },
})

export const agentOperations = [reloadAgents, retryTurn] as const
