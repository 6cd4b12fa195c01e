import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Boom } from '@hapi/boom'
import { temporaryBan } from './temporary-ban.js'

it('a temporary ban is told with its reason and its end, as far as the network gave them', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z')
  const of = (data: unknown) => temporaryBan(new Boom('Connection Failure', { statusCode: 402, data }), nowMs)
  assert.deepEqual(of({ reason: '402', code: '101', expire: '3600' }), {
    detail: 'it wrote to too many people who do not have its number saved, until 2026-01-01T01:00:00.000Z',
    waitMs: 3_600_000,
  })
  assert.deepEqual(of({ code: '199' }), { detail: 'reason 199' })
  for (const data of [
    undefined,
    null,
    'x',
    {},
    { expire: '-1' },
    { expire: 'soon' },
    { expire: '1e30' },
    { code: 'x' },
  ])
    assert.deepEqual(of(data), {}, JSON.stringify(data))
})
