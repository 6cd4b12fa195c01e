/** Reads the history of the connection of an instance. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import type { ConnectionEntry } from '../../schemas/ports/instances.js'

interface Row {
  readonly at: Date
  readonly status: ConnectionEntry['status']
  readonly state: string
  readonly cause: string
  readonly code: number
  readonly reason: string
  readonly node: string
}

// $1 instance   $2 rows
const READ = `
  SELECT at, status, state, cause, code, reason, node FROM connection_history WHERE instance_id = $1
  ORDER BY position DESC LIMIT $2`

/** Returns the newest entries, newest first. */
export async function readConnections(
  pool: pg.Pool,
  instance: InstanceId,
  limit: number,
): Promise<readonly ConnectionEntry[]> {
  return (await pool.query<Row>(READ, [instance, limit])).rows
}
