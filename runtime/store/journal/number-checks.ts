/** The numbers that the instances of a batch have looked up at the network. */
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

// $1 instances   $2 addresses   $3 addresses at the network; null: no account
const KEEP = `
  INSERT INTO number_check AS n (instance_id, address, found)
  SELECT DISTINCT ON (instance_id, address) * FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, address, found)
  ON CONFLICT (instance_id, address) DO UPDATE SET found = EXCLUDED.found, checked_at = now()`

export function sendNumberChecks(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const checks = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) => (change.type === 'numberCheck' ? [{ instance, change }] : [])),
  )
  if (checks.length === 0) return []
  const values = [
    textArray(checks.map(({ instance }) => instance)),
    textArray(checks.map(({ change }) => change.address)),
    textArray(checks.map(({ change }) => change.found)),
  ]
  return [client.query(KEEP, values)]
}
