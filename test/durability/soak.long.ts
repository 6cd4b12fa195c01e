/** Half an hour (`SOAK_MINUTES`) of traffic and trouble; what the gateway holds at the end is what it held at the start. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { infoField, redisInfo } from '../../runtime/embedded/redis-probe.js'
import { eventually } from '../support/eventually.js'
import type { Gateway } from '../support/gateway.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance } from '../support/world.js'
import { chooseSeed, seededRandom } from './random.js'
import { watchStatus } from './status-watch.js'
import { startTraffic } from './traffic.js'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const INSTANCES = 20

interface Held {
  readonly memory: { readonly heapUsed: number; readonly rss: number; readonly external: number }
  readonly resources: Readonly<Record<string, number>>
}

it(`${minutes} minutes of traffic and trouble: nothing is lost or doubled, and nothing is held that was not at the start`, async (t) => {
  const random = seededRandom(chooseSeed(t))
  const world = await startWorld(t, {
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    RECONNECT_DELAY_MAX_MS: '2000',
    WEBHOOK_BACKOFF_MIN_MS: '200',
    WEBHOOK_BACKOFF_MAX_MS: '2000',
    NODE_OPTIONS: `--import ${new URL('../support/report-memory.js', import.meta.url).href}`,
  })
  const { gateway } = world
  const receiver = await startReceiver(t)
  const instances: TestInstance[] = []
  for (let index = 0; index < INSTANCES; index += 1) {
    const instance = await world.paired(String(15_550_780_000 + index))
    await world.phone(choosePeer(instance))
    await instance.hook(receiver.url)
    instances.push(instance)
  }
  const someone = () => instances[Math.floor(random() * instances.length)]?.number
  const troubles = [
    () => world.network('POST', '/faults/close', { phone: someone(), abrupt: true }),
    () => world.network('POST', '/faults/close', { phone: someone() }),
    ...[500, 503, 515, 428].map(
      (code) => () => world.network('POST', '/faults/stream-error', { code, phone: someone() }),
    ),
    async () => {
      receiver.answer(503)
      await pause(3_000)
      receiver.answer(200)
    },
    async () => {
      await gateway.redis.kill()
      await pause(1_000)
      await gateway.redis.start()
    },
    () => world.network('POST', '/faults/close', {}),
  ]

  /** Then everything has arrived, and nobody does anything. */
  async function run(label: string, forMs: number): Promise<number> {
    const traffics = instances.map((instance) =>
      startTraffic(t, world, instance, { peer: choosePeer(instance), receiver, everyMs: 2_000, label }),
    )
    const deadline = performance.now() + forMs
    let count = 0
    while (performance.now() < deadline) {
      await pause(2_000 + random() * 4_000)
      await troubles[count % troubles.length]?.()
      count += 1
    }
    for (const traffic of traffics) await traffic.stop()
    for (const instance of instances) await instance.connected(60_000)
    for (const traffic of traffics) await traffic.hasArrived(120_000)
    await pause(15_000)
    return count
  }

  const watch = watchStatus(t, world, instances, { everyMs: 1_000, toleranceMs: 2_000 })
  await run('warm-up', Math.max(60_000, minutes * 6_000))
  const before = { ...(await held(gateway)), redisBytes: await redisBytes(gateway.redis.url) }
  t.diagnostic(`start ${JSON.stringify(before)}`)
  const count = await run('soak', minutes * 54_000)
  assert.deepEqual(await watch.stop(), [])
  const after = { ...(await held(gateway)), redisBytes: await redisBytes(gateway.redis.url) }
  t.diagnostic(`end ${JSON.stringify(after)} after ${count} troubles`)

  const mebibyte = 2 ** 20
  assert.ok(after.memory.heapUsed < before.memory.heapUsed * 1.2 + 10 * mebibyte, 'the heap has grown')
  assert.ok(after.memory.external < before.memory.external * 1.2 + 10 * mebibyte, 'memory outside the heap has grown')
  assert.ok(after.redisBytes < before.redisBytes + 2 * mebibyte, 'Redis has grown')
  // Connections that our own calls keep alive are among them.
  for (const [kind, number] of Object.entries(after.resources))
    assert.ok(
      number <= (before.resources[kind] ?? 0) + 2 * INSTANCES,
      `${kind}: ${before.resources[kind]} became ${number}`,
    )
})

function choosePeer({ number }: TestInstance): string {
  return String(Number(number) + 1_000)
}

async function held(gateway: Gateway): Promise<Held> {
  const reports = () =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"memory":'))
  const before = reports().length
  process.kill(gateway.pid, 'SIGUSR2')
  const all = await eventually(reports, ({ length }) => length > before)
  return JSON.parse(all.at(-1) ?? '') as Held
}

async function redisBytes(url: string): Promise<number> {
  return Number(infoField((await redisInfo(url)) ?? '', 'used_memory'))
}
