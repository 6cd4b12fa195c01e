import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type pg from 'pg'
import { openTestStore } from '../../test/support/store.js'
import { createClusterRows } from './cluster-view.js'

describe('the SQL queries of administrators', () => {
  it('reads only the row of the requested instance, however many there are', async (t) => {
    const { database, rows } = await openTestStore(t)
    await rows(`INSERT INTO instance (id, name, token_hash, desired_connected)
      SELECT 'r' || n, 'x', sha256(n::text::bytea), n % 10 > 0 FROM generate_series(1, 20000) AS n`)
    await rows('VACUUM ANALYZE instance')
    const plans: string[] = []
    const explaining = {
      async query(text: string, values: unknown[] = []) {
        const explained = await database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
        plans.push(explained.rows.map((row) => row['QUERY PLAN']).join('\n'))
        return { rows: [] }
      },
    }
    const asked = createClusterRows(explaining as unknown as pg.Pool)
    await asked.nodes()
    await asked.shards()
    await asked.shardOfInstance('r1')
    assert.equal(plans.length, 3)
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on instance/, plan)
    for (const plan of plans.slice(0, 2)) assert.match(plan, /Index Only Scan using instance_to_connect/, plan)
  })
})
