/** The connections of the instances of a batch, over time. Each instance keeps its newest rows only, so that one that flaps takes no room. */
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

const ROWS_MAX = 200
const REASON_MAX = 1_000

// $1 instance   $2 age, ms   $3 status   $4 state   $5 cause   $6 code   $7 reason   $8 node
const ADD = `
  INSERT INTO connection_history (instance_id, at, status, state, cause, code, reason, node)
  VALUES ($1, clock_timestamp() - $2::bigint * interval '1 millisecond', $3, $4, $5, $6, $7, $8)`
// $1 instances
const TRIM = `
  DELETE FROM connection_history AS h USING unnest($1::text[]) AS i(id)
  WHERE h.instance_id = i.id AND h.position < (
    SELECT position FROM connection_history WHERE instance_id = i.id ORDER BY position DESC OFFSET ${ROWS_MAX - 1} LIMIT 1)`

export function sendConnectionHistory(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const changed = new Set<string>()
  const added = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) => {
      if (change.type !== 'connection') return []
      const { ageMs, status, state, cause, code, reason, node } = change
      changed.add(instance)
      const age = String(Math.max(0, Math.round(ageMs)))
      return [client.query(ADD, [instance, age, status, state, cause, code, reason.slice(0, REASON_MAX), node])]
    }),
  )
  return changed.size === 0 ? [] : [...added, client.query(TRIM, [textArray([...changed])])]
}
