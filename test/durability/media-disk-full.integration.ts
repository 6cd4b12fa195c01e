import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { smallDisk } from '../support/small-disk.js'
import { startWorld } from '../support/world.js'

type Json = Record<string, unknown>

const BEN = '15550340002'

it('when the disk for files is full, files are refused with a reason, texts continue, and queued files are sent', async (t) => {
  const folder = testFolder(t)
  const disk = smallDisk(folder, 24)
  if (typeof disk === 'string') {
    t.skip(disk)
    return
  }
  const env = { DATA_DIR: folder, RECONNECT_DELAY_MAX_MS: '500' }
  const world = await startWorld(t, env, { launcher: disk.launcher })
  const ana = await world.paired('15550340001', 'Ana')
  await world.phone(BEN, 'Ben')
  const send = (sizeBytes: number, more: Json = {}) => {
    const file = randomBytes(sizeBytes).toString('base64')
    return ana.call<Json>('POST', '/send/media', { number: BEN, type: 'document', file, ...more })
  }
  const shown = () => world.network<{ id: string }[]>('GET', `/phones/${BEN}/messages?own=false`)
  await world.network('POST', '/faults', { kind: 'media-upload', code: 500 })
  const queued = await send(200_000, { async: true })
  assert.equal(queued.body.status, 'queued', JSON.stringify(queued.body))

  disk.fill(world.gateway.pid)
  for (const async of [true, false]) {
    const refused = await send(300_000, { async })
    assert.deepEqual([refused.status, refused.body.code], [503, 'MEDIA_STORAGE_UNAVAILABLE'])
  }
  await ana.text(BEN, 'goes on')
  await world.network('DELETE', '/faults')
  disk.free(world.gateway.pid)
  await ana.call('POST', '/instance/reset', {})
  await eventually(shown, (now) => now.some(({ id }) => id === queued.body.messageid))
  await ana.connected()
  assert.equal((await send(300_000)).status, 200)
  assert.equal((await shown()).length, 3)
})
