import { isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import type { TestAgentReply, TestAgentRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute } from '../../route.js'

export const testAgent = instanceRoute<TestAgentRequest>({
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
