import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { InstanceId } from '../../schemas/ids.js'
import { type TestRedis, testRedis } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, openTestStore, received, testLog } from '../../test/support/store.js'
import { connectRedis } from '../connect/redis.js'
import { redisAt } from '../connect/redis-place.js'
import { createStreams } from '../delivery/stream.js'
import { createWebhooks, type Webhooks } from '../delivery/webhook-directory.js'
import { signalProcess } from '../embedded/processes.js'
import { streamStore } from '../store/delivery-views.js'
import { createInstances } from '../store/instances.js'
import { createWebhookRows } from '../store/webhooks.js'
import type { HintListeners, HintOptions, HintScope } from './hint-batch.js'
import { createHints, type Hints } from './hints.js'

interface Heard {
  readonly events: HintScope<InstanceId>[]
  readonly instances: HintScope<InstanceId>[]
  readonly webhooks: HintScope<string>[]
  tables: number
}

interface Node extends Heard {
  readonly redis: Redis
  readonly hints: Hints
}

async function startNode(
  t: TestContext,
  server: TestRedis,
  incarnation: string,
  listeners: Partial<HintListeners> = {},
  options: Partial<HintOptions> = {},
): Promise<Node> {
  const connections = connectRedis(redisAt(server.url))
  const redis = connections.toSlotOf('', { maxRetriesPerRequest: 1, retryStrategy: () => 50 })
  redis.on('error', () => {})
  const heard: Heard = { events: [], instances: [], webhooks: [], tables: 0 }
  const hints = createHints({
    redis,
    connections,
    incarnation,
    checkEveryMs: 100,
    logger: testLog,
    ...options,
  })
  hints.follow({
    events: (which) => void heard.events.push(which),
    instances: (which) => void heard.instances.push(which),
    webhooks: (which) => void heard.webhooks.push(which),
    table: () => {
      heard.tables += 1
    },
    administrators() {},
    ...listeners,
  })
  t.after(() => {
    hints.close()
    redis.disconnect()
  })
  await eventually(() => hints.isHearing && redis.status === 'ready')
  const node = { ...heard, redis, hints }
  forget(node)
  Object.defineProperty(node, 'tables', { get: () => heard.tables, set: (count: number) => (heard.tables = count) })
  return node
}

/** What is heard at the beginning is "all". */
function forget(node: Heard): void {
  node.events.length = 0
  node.instances.length = 0
  node.webhooks.length = 0
}

const id = (number: number) => `i${String(number).padStart(15, '0')}` as InstanceId
const isAll = (which: HintScope<string>) => which === 'all'

describe('a hint', () => {
  it('reaches the other nodes as it was given, and not the one that gave it', async (t) => {
    const server = await testRedis(t)
    const [a, b, c] = [
      await startNode(t, server, 'a'),
      await startNode(t, server, 'b'),
      await startNode(t, server, 'c'),
    ]
    const tables = b.tables
    a.hints.events([id(1), id(2)])
    a.hints.instances([id(3)])
    a.hints.webhooks(['w'])
    a.hints.table()
    for (const node of [b, c]) {
      await eventually(() => node.events.length > 0)
      assert.deepEqual(node.events, [new Set([id(1), id(2)])])
      assert.deepEqual(node.instances, [new Set([id(3)])])
      assert.deepEqual(node.webhooks, [new Set(['w'])])
    }
    assert.equal(b.tables, tables + 1)
    assert.deepEqual([a.events, a.instances, a.webhooks], [[], [], []])
  })

  it('is made up for after the start of a node that missed it', async (t) => {
    const server = await testRedis(t)
    const a = await startNode(t, server, 'a')
    const told: HintScope<string>[] = []
    const seen: string[] = []
    const starting = createHints({
      redis: a.redis,
      connections: connectRedis(redisAt(server.url)),
      incarnation: 'b',
      logger: testLog,
      observe: (what) => seen.push(what),
    })
    t.after(() => starting.close())
    await eventually(() => starting.isHearing)
    a.hints.events([id(1)])
    await pause(100)
    const nothing = () => {}
    const listeners = { instances: nothing, webhooks: nothing, table: nothing, administrators: nothing }
    starting.follow({ ...listeners, events: (which) => void told.push(which) })
    assert.deepEqual(told, ['all'])
    assert.deepEqual(seen, [])
    a.hints.events([id(2)])
    await eventually(() => told.length > 1)
    assert.deepEqual(told[1], new Set([id(2)]))
  })

  it('is counted where it is sent and where it is heard, and where it cannot be sent', async (t) => {
    const server = await testRedis(t)
    const seen: Partial<Record<string, number>> = {}
    const observe = (of: string) => (what: string) => {
      seen[`${of} ${what}`] = (seen[`${of} ${what}`] ?? 0) + 1
    }
    const a = await startNode(t, server, 'a', {}, { observe: observe('a') })
    await startNode(t, server, 'b', {}, { observe: observe('b') })
    a.hints.table()
    await eventually(() => seen['a sent'] === 1 && seen['b heard'] === 1)
    assert.equal(Object.keys(seen).length, 2)
    signalProcess(server.pid, 'SIGSTOP')
    a.hints.table()
    await pause(50)
    await server.kill()
    await eventually(() => (seen['a unsent'] ?? 0) > 0)
  })

  it('goes out with all others of a moment, however many instances there are', async (t) => {
    const server = await testRedis(t)
    const [a, b] = [await startNode(t, server, 'a'), await startNode(t, server, 'b')]
    for (let round = 0; round < 20; round += 1) {
      for (let number = 0; number < 500; number += 1) a.hints.events([id(number)])
      await pause(1)
    }
    await eventually(() => b.events.length >= 2)
    await pause(50)
    // One at most a round: on a slow machine each round is a moment of its own.
    assert.ok(b.events.length <= 20, `${b.events.length} messages`)
    assert.ok(b.events.every((which) => which !== 'all' && which.size === 500))
    forget(b)
    for (let number = 0; number < 2_000; number += 1) a.hints.events([id(number)])
    await eventually(() => b.events.some(isAll))
  })

  it('is made up for by full reads if it is lost with Redis, while Redis is away and when it is back', async (t) => {
    const server = await testRedis(t)
    const [a, b] = [await startNode(t, server, 'a'), await startNode(t, server, 'b')]
    await server.kill()
    await eventually(() => !b.hints.isHearing)
    forget(b)
    a.hints.events([id(1)])
    await eventually(() => b.events.length >= 3)
    assert.ok(b.events.every(isAll) && b.webhooks.every(isAll) && b.instances.every(isAll))
    await server.start({ empty: true })
    await eventually(() => a.hints.isHearing && b.hints.isHearing && a.redis.status === 'ready')
    await pause(100)
    forget(b)
    a.hints.events([id(2)])
    await eventually(() => b.events.some((which) => which === 'all' || which.has(id(2))))
  })

  it('is made up for if Redis does not forward it', async (t) => {
    const server = await testRedis(t)
    const [a, b] = [await startNode(t, server, 'a'), await startNode(t, server, 'b')]
    process.kill(server.pid, 'SIGSTOP')
    a.hints.events([id(1)])
    await eventually(() => !b.hints.isHearing && b.events.some(isAll))
    process.kill(server.pid, 'SIGCONT')
    await eventually(() => a.hints.isHearing && b.hints.isHearing)
    await pause(200)
    forget(b)
    a.hints.events([id(2)])
    await eventually(() => b.events.some((which) => which === 'all' || which.has(id(2))))
  })

  it('of events goes to nobody while the node is alone, and to all when somebody has come', async (t) => {
    const server = await testRedis(t)
    let isAlone = true
    const a = await startNode(t, server, 'a', {}, { isAlone: () => isAlone })
    const b = await startNode(t, server, 'b')
    a.hints.events([id(1)])
    a.hints.instances([id(2)])
    await eventually(() => b.instances.length > 0)
    await pause(250)
    assert.deepEqual([b.events, b.instances], [[], [new Set([id(2)])]])
    isAlone = false
    await eventually(() => b.events.length > 0)
    a.hints.events([id(3)])
    await eventually(() => b.events.length > 1)
    assert.deepEqual(b.events, ['all', new Set([id(3)])])
    // Nothing was untold this time.
    isAlone = true
    await pause(250)
    isAlone = false
    await pause(250)
    assert.equal(b.events.length, 2)
  })

  it('says "all" after one that could not be sent', async (t) => {
    const server = await testRedis(t)
    const [a, b] = [await startNode(t, server, 'a'), await startNode(t, server, 'b')]
    a.redis.disconnect()
    a.hints.webhooks(['lost'])
    await pause(50)
    assert.equal(b.webhooks.length, 0)
    await a.redis.connect()
    await eventually(() => b.webhooks.length > 0)
    assert.ok(b.webhooks.some((which) => which === 'all' || which.has('lost')))
  })
})

describe('on another node', () => {
  for (const how of ['hint', 'look at everything while Redis is away'] as const)
    it(`an event stream hears of a commit by a ${how}`, async (t) => {
      const server = await testRedis(t)
      const store = await openTestStore(t, {
        onCommitted: ({ events }) => here?.hints.events(events.map(({ instance }) => instance)),
      })
      const here = await startNode(t, server, 'a')
      const streams = createStreams({
        store: streamStore(store.database.pool, { url: () => '', fileUrl: () => '' }),
        // Later than this test waits.
        pollEveryMs: 3_600_000,
        logger: testLog,
      })
      t.after(() => streams.close())
      const there = await startNode(t, server, 'b', { events: (which) => streams.wake(which) })
      const instance = await store.newInstance()
      let told = ''
      for (const scope of [instance, null]) {
        const stream = streams.open({ instance: scope, events: [], excludeMessages: [] })
        stream.on('data', (part: Buffer) => {
          told += part.toString()
        })
        t.after(() => void stream.destroy())
      }
      await eventually(() => told.split('connected').length === 3)
      if (how !== 'hint') {
        await server.kill()
        await eventually(() => !there.hints.isHearing)
      }
      await store.journal.forInstance(instance, store.findEpoch(instance)).write([received(aMessage({ text: 'Oi' }))])
      await eventually(() => told.split('"Oi"').length >= 3)
    })

  it('a changed, deleted or switched off webhook is the new one at once', async (t) => {
    const server = await testRedis(t)
    const store = await openTestStore(t)
    const owner: { webhooks?: Webhooks } = {}
    await startNode(t, server, 'a', { webhooks: (which) => owner.webhooks?.refresh(which) })
    const api = await startNode(t, server, 'b')
    const directory = (onWritten: (id: string) => void) =>
      createWebhooks({
        rows: createWebhookRows(store.database, store.encryption),
        deadLetters: { list: fail, replay: fail, resend: fail },
        deliveries: { list: fail, show: fail, hours: fail },
        outgoing: { assertUrlAllowed: async (url) => new URL(url), post: fail },
        timeoutMs: 1_000,
        webhooksMax: 10,
        receiverStates: async (urls) => urls.map(() => null),
        sample: fail,
        onWritten,
      })
    const atOwner = directory(() => {})
    owner.webhooks = atOwner
    const elsewhere = directory((webhook) => api.hints.webhooks([webhook]))
    const instance = await store.newInstance()
    const { webhook } = await elsewhere.add(instance, {
      url: 'https://one.example/',
      events: ['messages'],
      enabled: true,
    })
    assert.equal((await atOwner.byId(webhook.id))?.url, 'https://one.example/')
    await isKnownSoon(async (round) => {
      const url = `https://two.example/${round}`
      await elsewhere.update(instance, webhook.id, { url })
      await eventually(async () => (await atOwner.byId(webhook.id))?.url === url)
    })
    await isKnownSoon(async () => {
      await elsewhere.update(instance, webhook.id, { enabled: true })
      await eventually(async () => (await atOwner.byId(webhook.id))?.enabled === true)
      await elsewhere.disable(webhook.id)
      await eventually(async () => (await atOwner.byId(webhook.id))?.enabled === false)
    })
    await elsewhere.delete(instance, webhook.id)
    await eventually(async () => (await atOwner.byId(webhook.id)) === null)
  })

  it('a token is worth nothing once its instance is deleted, and a new name is known', async (t) => {
    const server = await testRedis(t)
    const store = await openTestStore(t)
    const one = createInstances(store.database, { instancesMax: 10, pairingsMax: 100, pairingMaxMs: 60_000 })
    await startNode(t, server, 'a', { instances: (which) => one.forget(which) })
    const api = await startNode(t, server, 'b')
    const other = createInstances(store.database, {
      instancesMax: 10,
      pairingsMax: 100,
      pairingMaxMs: 60_000,
      onWritten: (instance) => api.hints.instances([instance]),
    })
    const made = { name: 'before', systemName: '', adminField01: '', adminField02: '' }
    const { instance, token } = await other.create(made)
    assert.equal((await one.byToken(token))?.instance.name, 'before')
    await isKnownSoon(async (round) => {
      await other.rename(instance.id, `after ${round}`)
      await eventually(async () => (await one.byToken(token))?.instance.name === `after ${round}`)
    })
    await other.delete(instance.id)
    await eventually(async () => (await one.byToken(token)) === null)
  })
})

/** Without a hint what is known is forgotten after 5 s. A busy machine may be as late in one round, but not in each. */
async function isKnownSoon(change: (round: number) => Promise<void>): Promise<void> {
  const times: number[] = []
  for (let round = 1; round <= 5 && !times.some((ms) => ms < 4_500); round += 1) {
    const startedMs = performance.now()
    await change(round)
    times.push(performance.now() - startedMs)
  }
  assert.ok(Math.min(...times) < 4_500, `sooner than it would be forgotten: ${times.join(', ')} ms`)
}

function fail(): never {
  throw new Error('not asked for')
}
