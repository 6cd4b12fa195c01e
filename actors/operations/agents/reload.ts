import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Reads the stored agents, triggers and settings of the chatbot again, so that the next message is judged by them, and tells of the budget of the day,
 * in which other nodes count too. Needs no connection.
 */
export const reloadAgents = operation('reloadAgents', {
  repeat: true,
  example: {},
  async run({ agents, journal, sends }: InstanceContext) {
    await agents.reload()
    // An owner that has lost the instance fails here, and the call goes to the next one.
    await journal.write([{ type: 'instance', set: {} }])
    await sends.agentTurns?.tellBudget()
    return {}
  },
})
