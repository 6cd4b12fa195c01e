import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { CallRow, ToolResult } from '../../../schemas/agents/tools.js'

// Bound: 131,072, 5,000 values, the result of a tool.

type StoredRow = Omit<CallRow, 'result'> & { readonly result: string | null }

const OF_TURN = `
  SELECT turn_id AS turn, generation, step, call, name, result FROM agent_call
  WHERE instance_id = $1 AND turn_id = $2 AND generation = $3 ORDER BY step, call`

/** Reads the calls of agents' turns. */
export function agentCallReads(pool: pg.Pool): Pick<InstanceReader, 'agentCalls'> {
  return {
    async agentCalls(instance, turn, generation) {
      const { rows } = await pool.query<StoredRow>(OF_TURN, [instance, turn, generation])
      return rows.map(
        (row): CallRow => ({ ...row, result: row.result === null ? null : (JSON.parse(row.result) as ToolResult) }),
      )
    },
  }
}
