import { randomBytes } from 'node:crypto'
import { reservedValues } from '../../../schemas/agents/reserved-placeholders.js'
import type { FunctionHttp } from '../../../schemas/agents/tools.js'
import { GatewayError } from '../../../schemas/errors.js'
import { findInFunction, isSound } from '../../../schemas/function-rules.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { FunctionTrials } from '../../../schemas/ports/agents.js'
import type { AgentRecords } from '../../../schemas/ports/records.js'
import { createAgentTools } from './agent-tools.js'

/** Longer than the limits of a call let it take. */
const TIMEOUT_MS = 60_000

/** Calls functions for their owners in the way in which agents call them. */
export function createFunctionTrials(records: Pick<AgentRecords, 'findFunction'>, http: FunctionHttp): FunctionTrials {
  return {
    async run(instance, id, { arguments: given, placeholders }) {
      const row = await records.findFunction(instance.id, id)
      if (row === null) throw new GatewayError('FUNCTION_NOT_FOUND')
      if (!isSound(findInFunction(row)))
        throw invalidField('id', 'is that of a function with errors, which an edit of it names')
      const active = { ...row, active: true }
      const tools = createAgentTools({
        records: { functions: async () => [active], findFunction: async () => active },
        http,
        knowledge: null,
      })
      const set = await tools.of(instance.id, { functions: null, knowledge: null })
      const reserved = new Map([...reservedValues({}, instance), ...Object.entries(placeholders)])
      const { text, isError, record } = await set.run(
        { id: 'trial', name: set.tools[0]?.name ?? '', arguments: given },
        {
          turn: `trial${randomBytes(8).toString('hex')}`,
          generation: 0,
          step: 0,
          call: 0,
          reserved,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      )
      const { endpoint, status, durationMs } = record
      return {
        text,
        isError,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(status === undefined ? {} : { status }),
        ...(durationMs === undefined ? {} : { durationMs }),
      }
    },
  }
}
