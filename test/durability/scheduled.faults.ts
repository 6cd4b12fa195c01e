import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startWorld } from '../support/world.js'
import { chooseSeed, seededRandom } from './random.js'

const PEERS = ['15550490002', '15550490003']
const TEXTS = 10
/** Time to ask for all of them, after a start, on a machine that others keep busy. */
const AHEAD_MS = 8_000

interface Shown {
  readonly id: string
  readonly arrivals: number
}

it('kill -9 around the time of scheduled messages: each arrives once, in order within its chat', async (t) => {
  const random = seededRandom(chooseSeed(t))
  const world = await startWorld(t, { RECONNECT_DELAY_MAX_MS: '500', SEND_DELAY_MIN_MS: '0', SEND_DELAY_MAX_MS: '20' })
  const ana = await world.paired('15550490001', 'Ana')
  for (const peer of PEERS) await world.phone(peer)
  const asked = new Map(PEERS.map((peer) => [peer, [] as string[]]))
  for (let round = 0; round < 3; round += 1) {
    const firstMs = Date.now() + AHEAD_MS
    const indexes = Array.from({ length: TEXTS }, (_, index) => index)
    for (const peer of PEERS) {
      const plan = (index: number) => ana.text(peer, `${round}-${index}`, { send_at: firstMs + index * 20 })
      for (const { messageid, status } of await Promise.all(indexes.map(plan))) {
        assert.equal(status, 'scheduled')
        asked.get(peer)?.push(String(messageid))
      }
    }
    // From before the first until after the last was handed over.
    await pause(firstMs - 50 + random() * 700 - Date.now())
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
  }
  for (const [peer, ids] of asked) {
    const shown = () => world.network<Shown[]>('GET', `/phones/${peer}/messages?own=false`)
    const all = await eventually(shown, (messages) => messages.length >= ids.length)
    assert.deepEqual(
      all.map(({ id, arrivals }) => [id, arrivals]),
      ids.map((id) => [id, 1]),
    )
  }
  assert.deepEqual((await ana.call<{ messages: unknown[] }>('GET', '/message/scheduled?status=all')).body.messages, [])
})
