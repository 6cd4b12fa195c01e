/** The network drops every connection at once; the test asserts the pace of what follows, the reports meanwhile, and the end. */
import assert from 'node:assert/strict'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { watchStatus } from './status-watch.js'

export interface NetworkDropOptions {
  readonly instances: number
  readonly ratePerSecond: number
  /** For all to be back. */
  readonly withinMs: number
}

const BEN = '15550770000'

/** Returns the most logins that fell into one second. */
export async function networkDrop(
  t: Cleanup,
  { instances: count, ratePerSecond, withinMs }: NetworkDropOptions,
): Promise<number> {
  const world = await startWorld(t, {
    LOGIN_RATE_PER_SECOND: String(ratePerSecond),
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    RECONNECT_DELAY_MAX_MS: '500',
  })
  await world.phone(BEN)
  const instances = await pairMany(world, count)
  const watch = watchStatus(t, world, instances, { everyMs: 500 })
  const loginsBefore = (await logins(world)).length

  const dropped = await world.network<{ sessions: number }>('POST', '/faults/close', { abrupt: true })
  assert.equal(dropped.sessions, count)
  for (const { number } of instances)
    await world.network('POST', `/phones/${BEN}/text`, { to: number, text: 'meanwhile' })
  await eventually(
    async () => (await logins(world)).slice(loginsBefore).filter(({ endedAtMs }) => endedAtMs === null).length,
    (back) => back === count,
    withinMs,
  )
  for (const instance of instances) await instance.connected()

  const times = (await logins(world)).slice(loginsBefore).map(({ atMs }) => atMs)
  assert.equal(times.length, count, 'one login each is enough')
  const most = Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length))
  // The bucket holds a second's worth; what it lets go may take differently long to the network.
  assert.ok(most <= ratePerSecond * 2 * 1.2, `${most} logins in one second`)
  for (const instance of instances) await has(instance, 'meanwhile')
  assert.deepEqual(await watch.stop(), [])
  assert.ok(watch.saidNotConnected > 0)
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
  return most
}

async function pairMany(world: World, count: number): Promise<TestInstance[]> {
  const numbers = Array.from({ length: count }, (_, index) => String(15_550_770_001 + index))
  const instances: TestInstance[] = []
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
        instances.push(await world.paired(number))
    }),
  )
  return instances
}

async function logins(world: World): Promise<{ atMs: number; endedAtMs: number | null }[]> {
  return await world.network('GET', '/log/logins')
}

async function has(instance: TestInstance, text: string): Promise<void> {
  await eventually(
    async () => (await instance.call<{ messages: { text: string }[] }>('POST', '/message/find', { limit: 10 })).body,
    ({ messages }) => messages.filter((message) => message.text === text).length === 1,
  )
}
