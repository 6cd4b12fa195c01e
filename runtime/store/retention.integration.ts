import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditedCall } from '../../api/ports.js'
import { openTestStore, testLog } from '../../test/support/store.js'
import { createAccessKeys } from './access-keys.js'
import { createAuditLog } from './audit-log.js'
import { createRetention } from './retention.js'

const call: AuditedCall = {
  actorKind: 'admin',
  actor: 'ADMIN_TOKEN',
  address: '192.0.2.1',
  method: 'POST',
  route: '/x',
  operation: 'x',
  subject: '',
  requestId: 'r',
}

describe('the retention', () => {
  it('takes administrative calls away after a time of their own, and keys that have ended', async (t) => {
    const store = await openTestStore(t)
    const { pool } = store.database
    const log = createAuditLog(pool, 'n1')
    const keys = createAccessKeys({ pool, onWritten: () => {} })
    const instance = await store.newInstance()
    for (const name of ['old', 'older', 'new']) await log.begin({ ...call, subject: name })
    await store.rows("UPDATE audit SET at = at - interval '91 days' WHERE subject LIKE 'old%'")
    const key = { scopes: ['read'], chat: null } as const
    await keys.create(instance, { ...key, name: 'ended', lifeMs: -1 })
    await keys.create(instance, { ...key, name: 'for good', lifeMs: null })
    await keys.create(instance, { ...key, name: 'for a day', lifeMs: 86_400_000 })

    await createRetention({ pool, log: testLog, auditMs: Number.POSITIVE_INFINITY }).run()
    assert.equal((await log.find({ limit: 10 })).entries.length, 3)
    await createRetention({ pool, log: testLog, batchRows: 1 }).run()
    const { entries } = await log.find({ limit: 10 })
    assert.deepEqual(
      entries.map(({ subject, status }) => [subject, status]),
      [['new', null]],
    )
    const left = await store.rows<{ name: string }>('SELECT name FROM access_key ORDER BY name')
    assert.deepEqual(
      left.map(({ name }) => name),
      ['for a day', 'for good'],
    )
  })
})
