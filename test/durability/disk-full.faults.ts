import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { signalProcess } from '../../runtime/embedded/processes.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { smallDisk } from '../support/small-disk.js'
import { startWorld } from '../support/world.js'
import { watchStatus } from './status-watch.js'
import { startTraffic } from './traffic.js'

it('when the disk of its embedded servers is full, the gateway reports it and stays up; with space again it continues without loss', async (t) => {
  const folder = testFolder(t)
  const disk = smallDisk(folder, 192)
  if (typeof disk === 'string') {
    t.skip(disk)
    return
  }
  const world = await startWorld(
    t,
    { RECONNECT_DELAY_MAX_MS: '500', DATABASE_CONNECT_TIMEOUT_MS: '1000', PARK_TIMEOUT_MS: '1000' },
    { embeddedIn: folder, launcher: disk.launcher },
  )
  const { gateway } = world
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550790001', 'Ana')
  await world.phone('15550790002')
  await ana.hook(receiver.url)
  const watch = watchStatus(t, world, [ana])
  const traffic = startTraffic(t, world, ana, { peer: '15550790002', receiver, everyMs: 50 })
  const readStatus = async (path: string) => (await gateway.call('GET', path)).status
  const pid = gateway.pid

  await traffic.goesOn(10, 60_000)
  disk.fill(pid)
  await eventually(
    () => traffic.answers.get(503) ?? 0,
    (count) => count >= 5,
  )
  await eventually(
    () => readStatus('/ready'),
    (status) => status === 503,
  )
  await pause(3_000)
  assert.deepEqual([await readStatus('/health'), await readStatus('/ready')], [200, 503])
  const refused = await ana.call('POST', '/send/text', { number: '15550790002', text: 'on a full disk' })
  assert.equal(refused.status, 503, JSON.stringify(refused.body))
  assert.ok(refused.headers.has('retry-after'))

  // Nor can it be started on a full disk when it dies there.
  const postgres = Number.parseInt(readFileSync(`/proc/${pid}/root${folder}/postgresql/postmaster.pid`, 'utf8'), 10)
  signalProcess(postgres, 'SIGKILL')
  await eventually(gateway.output, (text) => failedStarts(text).length >= 3)

  disk.free(pid)
  await eventually(
    () => readStatus('/ready'),
    (status) => status === 200,
    60_000,
  )
  await traffic.goesOn(10, 60_000)
  await traffic.stop()
  await traffic.hasArrived()
  assert.equal(gateway.pid, pid)
  for (const [index, { atMs }] of failedStarts(gateway.output()).entries())
    if (index > 0) assert.ok(atMs - (failedStarts(gateway.output())[index - 1]?.atMs ?? 0) >= 250 * 2 ** index)
  for (const status of traffic.answers.keys()) assert.ok(status === 200 || status === 503, String(status))
  assert.deepEqual(await watch.stop(), [])
})

function failedStarts(output: string): { atMs: number }[] {
  const lines = output.split('\n').filter((line) => line.includes('embedded server did not start, tried again later'))
  return lines.map((line) => ({ atMs: Date.parse((JSON.parse(line) as { time: string }).time) }))
}
