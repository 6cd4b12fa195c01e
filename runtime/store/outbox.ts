/** Messages that are still to be sent, of all instances. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'

export interface Outbox {
  /** Instances of these shards that should be connected and have something queued. */
  instancesWithQueued(shards: readonly number[]): Promise<readonly InstanceId[]>
}

// One look into the index per instance, however much is queued.
// $1 shards
const WITH_QUEUED = `
  SELECT i.id FROM instance AS i
  WHERE i.desired_connected AND i.shard = ANY($1::smallint[])
    AND EXISTS (SELECT FROM message AS m WHERE m.instance_id = i.id AND m.outbox = 1)`

export function createOutbox(pool: pg.Pool): Outbox {
  return {
    async instancesWithQueued(shards) {
      const { rows } = await pool.query<{ id: InstanceId }>(WITH_QUEUED, [shards])
      return rows.map(({ id }) => id)
    },
  }
}
