/** The calls of agents' tools, before they are made and with their results. */
import type { CallRow } from '../../../schemas/agents/tools.js'
import { intArray, textArray } from '../arrays.js'
import { joinKey, type Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// A call that is started again, after a crash, keeps the result that it has.
// $1 instances  $2 turns  $3 generations  $4 steps  $5 calls  $6 names  $7 results as JSON, null: none yet
const KEEP = `
  INSERT INTO agent_call AS c (instance_id, turn_id, generation, step, call, name, result)
  SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[])
  ON CONFLICT (instance_id, turn_id, generation, step, call) DO UPDATE
    SET result = COALESCE(EXCLUDED.result, c.result), updated = now()`

export const agentCalls = {
  types: ['agent.call'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const found = new Map<string, { readonly instance: string; readonly row: CallRow }>()
    for (const { instance, changes } of writes)
      for (const change of changes) {
        if (change.type !== 'agent.call') continue
        const { turn, generation, step, call } = change.row
        // The last one of a batch counts: it has the result.
        found.set(joinKey(instance, turn, generation, step, call), { instance, row: change.row })
      }
    if (found.size === 0) return []
    const all = [...found.values()]
    const values = [
      textArray(all.map(({ instance }) => instance)),
      textArray(all.map(({ row }) => row.turn)),
      intArray(all.map(({ row }) => row.generation)),
      intArray(all.map(({ row }) => row.step)),
      intArray(all.map(({ row }) => row.call)),
      textArray(all.map(({ row }) => row.name)),
      textArray(all.map(({ row }) => (row.result === null ? null : JSON.stringify(row.result)))),
    ]
    return [client.query(KEEP, values)]
  },
} as const satisfies RowKind
