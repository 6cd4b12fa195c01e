import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { Command } from '../../actors/operations/index.js'
import { repeatRules } from '../../actors/operations/index.js'
import { GatewayError } from '../../schemas/errors.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { chooseSeed, seededRandom } from '../../test/durability/random.js'
import { eventually } from '../../test/support/eventually.js'
import {
  createInstanceId,
  type RoutingNode,
  type RoutingNodeOptions,
  SHARDS_OF_TEST,
  shardOfTest,
  startRoutingNode,
  Truth,
  text,
} from '../../test/support/routing.js'
import { createCallMetrics } from './call-metrics.js'
import type { PeerClient, PeerOutcome } from './peers/client.js'
import type { Owner, PeerCommand } from './peers/protocol.js'
import { OwnerRouter } from './router.js'
import type { Router, RouterOptions } from './router-types.js'

const instance = createInstanceId(1)
const shard = shardOfTest(instance)

async function startNodes(t: TestContext, options: Partial<RoutingNodeOptions> = {}) {
  const truth = new Truth()
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => startRoutingNode(t, name, { truth, ...options })))
  assert.ok(a !== undefined && b !== undefined && c !== undefined)
  /** SQL and every table say so. */
  const give = (to: RoutingNode, of = shard): void => {
    const epoch = truth.give(of, to.incarnation)
    for (const node of [a, b, c]) node.tell(of, ownerAs(to, epoch))
  }
  return { truth, a, b, c, give }
}

function ownerAs({ incarnation, address }: Pick<RoutingNode, 'incarnation' | 'address'>, epoch: number): Owner {
  return { incarnation, address, epoch }
}

describe('a call', () => {
  it('is answered on every node, and carried out on the one that owns its instance', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t)
    give(b)
    for (const node of [a, b, c]) await node.router.ask(instance, text(`from ${node.incarnation}`))
    assert.deepEqual(
      truth.done.map(({ messageid, by }) => [messageid, by]),
      [
        ['from a', 'b'],
        ['from b', 'b'],
        ['from c', 'b'],
      ],
    )
  })

  it('fails as it failed at the owner', async (t) => {
    const { a, b, give } = await startNodes(t)
    give(b)
    for (const node of [a, b])
      await assert.rejects(node.router.ask(instance, { type: 'status' }), { code: 'INSTANCE_NOT_FOUND' })
  })

  it('finds the owner of this moment through a table that is behind', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t)
    give(b)
    const epoch = truth.give(shard, 'c')
    for (const node of [b, c]) node.tell(shard, ownerAs(c, epoch))
    await a.router.ask(instance, text('one'))
    assert.deepEqual(truth.done, [{ messageid: 'one', by: 'c', epoch }])
    // Known owners are not looked up again.
    const before = b.server.inFlight
    await a.router.ask(instance, text('two'))
    assert.equal(b.server.inFlight, before)
  })

  it('waits at an owner that does not know yet that it is one', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t)
    give(c)
    const epoch = truth.give(shard, 'b')
    a.tell(shard, ownerAs(b, epoch))
    const answered = a.router.ask(instance, text('one'))
    await eventually(() => b.router.counts().parked === 1)
    b.tell(shard, ownerAs(b, epoch))
    await answered
    assert.deepEqual(truth.done, [{ messageid: 'one', by: 'b', epoch }])
  })

  it('continues at the new owner after waiting at the former one', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t)
    give(b)
    b.tell(shard, 'moving')
    const answered = Promise.all([a.router.ask(instance, text('of a')), b.router.ask(instance, text('of b'))])
    await eventually(() => b.router.counts().parked === 2)
    const epoch = truth.give(shard, 'c')
    c.tell(shard, ownerAs(c, epoch))
    // Only the former owner knows: no hint reaches a.
    b.tell(shard, ownerAs(c, epoch))
    await answered
    assert.deepEqual(truth.done.map(({ messageid }) => messageid).sort(), ['of a', 'of b'])
    assert.ok(truth.done.every(({ by }) => by === 'c'))
  })

  it('continues when the move is given up', async (t) => {
    const { truth, a, b, give } = await startNodes(t)
    give(b)
    b.tell(shard, 'moving')
    const answered = a.router.ask(instance, text('one'))
    await eventually(() => b.router.counts().parked === 1)
    give(b)
    await answered
    assert.equal(truth.done.length, 1)
  })

  it('waits while nobody owns the shard, and while the owner cannot be reached', async (t) => {
    const { truth, a, b } = await startNodes(t)
    const first = a.router.ask(instance, text('one'))
    const epoch = truth.give(shard, 'b')
    b.tell(shard, ownerAs(b, epoch))
    const away = await startRoutingNode(t, 'away', { truth })
    await away.server.close()
    a.tell(shard, ownerAs(away, epoch))
    // Between two tries of the way it waits.
    await eventually(() => a.router.counts().parked === 1)
    a.tell(shard, ownerAs(b, epoch))
    await first
    // No change of the table, but of the way.
    a.tell(shard, { ...ownerAs(b, epoch), address: `127.0.0.1:${b.proxy.port}` })
    b.proxy.cut()
    const second = a.router.ask(instance, text('two'))
    await pause(200)
    b.proxy.mend()
    await second
    assert.deepEqual(
      truth.done.map(({ messageid }) => messageid),
      ['one', 'two'],
    )
  })

  it('is done once when its answer is lost on the way', async (t) => {
    const { truth, a, b, give } = await startNodes(t, { workMs: () => 100 })
    give(b)
    a.tell(shard, { ...ownerAs(b, 1), address: `127.0.0.1:${b.proxy.port}` })
    const answered = a.router.ask(instance, text('one'))
    await eventually(() => truth.done.length === 1)
    b.proxy.cut()
    await pause(50)
    b.proxy.mend()
    assert.equal((await answered).record.messageid, 'one')
    assert.equal(truth.done.length, 1)
  })

  it('is done once when its first asking is read after the second', async (t) => {
    const { truth, a, b, give } = await startNodes(t)
    give(b)
    const epoch = truth.owners.get(shard)?.epoch ?? 0
    const context = { requestId: '', traceparent: '' }
    for (const command of [{ ...text('one'), isRepeat: true }, text('one')]) {
      const sent = { instance, command, epoch, leftMs: 1_000, context }
      const { outcome } = a.client.call(b.address, sent, { isOrdered: false, onPlaced: () => {} })
      assert.equal((await outcome).type, 'reply')
    }
    assert.equal(truth.done.length, 1)
  })

  it('is not executed under a later epoch after its caller gave up, since another owner may have executed it', async (t) => {
    const { truth, b, c, give } = await startNodes(t)
    give(c)
    const epoch = truth.owners.get(shard)?.epoch ?? 0
    c.tell(shard, 'moving')
    const context = { requestId: '', traceparent: '' }
    const served = c.router.serve({ instance, command: text('one'), epoch, leftMs: 1_000, context })
    // It hears nothing of the one in between.
    b.tell(shard, ownerAs(b, truth.give(shard, 'b')))
    await b.router.ask(instance, text('one'))
    give(c)
    assert.equal((await served).type, 'moved')
    assert.equal(truth.done.length, 1)
  })

  it('at an owner that has fallen silent continues at the next one, a moment after that is known', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t, { router: { graceMs: 50 } })
    give(b)
    a.tell(shard, { ...ownerAs(b, 1), address: `127.0.0.1:${b.proxy.port}` })
    b.proxy.silence()
    const calls = Promise.all(['one', 'two', 'three'].map((id) => a.router.ask(instance, text(id))))
    await pause(100)
    give(c)
    await calls
    assert.deepEqual(
      truth.done.map(({ messageid, by }) => [messageid, by]),
      ['one', 'two', 'three'].map((id) => [id, 'c']),
    )
  })

  it('keeps its place behind those before it when the line continues', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t, { workMs: () => 5 })
    give(b)
    a.tell(shard, 'moving')
    const ids = Array.from({ length: 200 }, (_, index) => `m${index}`)
    const calls: Promise<unknown>[] = []
    for (const id of ids) {
      calls.push(a.router.ask(instance, text(id)))
      if (calls.length === 100) give(c)
      if (calls.length % 10 === 0) await pause(1)
    }
    await Promise.all(calls)
    assert.deepEqual(
      truth.done.map(({ messageid }) => messageid),
      ids,
    )
    assert.deepEqual(new Set(truth.done.map(({ by }) => by)), new Set(['c']))
    assert.deepEqual(a.router.counts(), { parked: 0, unanswered: 0 })
    assert.ok(b.router.counts().unanswered === 0)
  })

  it('keeps its place when the former owner sends it on', async (t) => {
    const { truth, a, b, c, give } = await startNodes(t, { workMs: () => 5 })
    give(b)
    // Every connection is there already, so that the calls come to b in their order.
    await Promise.all(Array.from({ length: 60 }, (_, index) => a.router.ask(instance, text(`before ${index}`))))
    truth.done.length = 0
    b.tell(shard, 'moving')
    const ids = Array.from({ length: 60 }, (_, index) => `m${index}`)
    const calls = ids.map((id) => a.router.ask(instance, text(id)))
    await eventually(() => b.router.counts().parked === ids.length)
    const epoch = truth.give(shard, 'c')
    c.tell(shard, ownerAs(c, epoch))
    b.tell(shard, ownerAs(c, epoch))
    await Promise.all(calls)
    assert.deepEqual(
      truth.done.map(({ messageid }) => messageid),
      ids,
    )
  })
})

describe('a call that cannot be carried out', () => {
  it('is answered 503 when its time is up', async (t) => {
    const { a } = await startNodes(t, { router: { parkTimeoutMs: 50 } })
    await assert.rejects(a.router.ask(instance, text('one')), { code: 'INSTANCE_MOVING', retryAfterSeconds: 5 })
    assert.deepEqual(a.router.counts(), { parked: 0, unanswered: 0 })
  })

  it('is answered 503 at once when too many wait, of the node or of the instance', async (t) => {
    const { a } = await startNodes(t, { router: { parkTimeoutMs: 60_000, parkedMax: 3, parkedOfInstanceMax: 2 } })
    const of = (number: number) => a.router.ask(createInstanceId(number), text('one'))
    const waiting = [of(1), of(1)].map((one) => assert.rejects(one))
    await assert.rejects(of(1), { code: 'INSTANCE_MOVING' })
    waiting.push(assert.rejects(of(2)))
    await assert.rejects(of(3), { code: 'INSTANCE_MOVING' })
    assert.equal(a.router.counts().parked, 3, 'the others still wait')
    a.router.close()
    await Promise.all(waiting)
  })

  it('is answered when the node stops', async (t) => {
    const { a } = await startNodes(t)
    const waiting = assert.rejects(a.router.ask(instance, text('one')), { code: 'INSTANCE_MOVING' })
    a.router.close()
    await waiting
    await assert.rejects(a.router.ask(instance, text('two')), { code: 'INSTANCE_MOVING' })
  })

  it('is answered when the node must end at once: with an unknown outcome if it had begun, else as repeatable', async (t) => {
    const { a, b, give } = await startNodes(t, { workMs: () => 300 })
    give(b)
    const there = assert.rejects(a.router.ask(instance, text('one')), { code: 'OUTCOME_UNKNOWN' })
    const here = assert.rejects(b.router.ask(instance, text('two')), { code: 'OUTCOME_UNKNOWN' })
    await eventually(() => b.router.counts().unanswered === 2)
    const waiting = assert.rejects(a.router.ask(createInstanceId(2), text('three')), { code: 'INSTANCE_MOVING' })
    a.router.abandon()
    b.router.abandon()
    await Promise.all([there, here, waiting])
    assert.deepEqual([a.router.counts().unanswered, b.router.counts().unanswered], [0, 0])
    await assert.rejects(a.router.ask(instance, text('four')), { code: 'INSTANCE_MOVING', retryAfterSeconds: 5 })
  })

  it('says that the outcome is unknown when it may have been done', async (t) => {
    const { truth, a, b, give } = await startNodes(t, { workMs: () => 50, router: { parkTimeoutMs: 100 } })
    give(b)
    a.tell(shard, { ...ownerAs(b, 1), address: `127.0.0.1:${b.proxy.port}` })
    const waiting = assert.rejects(a.router.ask(instance, text('one')), { code: 'OUTCOME_UNKNOWN' })
    await eventually(() => truth.done.length === 1)
    b.proxy.cut()
    await waiting
  })

  it('says that the owner is busy when it is', async () => {
    const { router } = scripted({ parkTimeoutMs: 100 }, () => ({ type: 'busy' }))
    await assert.rejects(router.ask(instance, text('one')), { code: 'NODE_BUSY' })
  })
})

describe('a local actor that stops with its shard', () => {
  for (const [what, error, isRepeat] of [
    ['before a call was begun', new ShardMoved({ wasBegun: false }), undefined],
    ['when a call was under way', new ShardMoved({ wasBegun: true }), true],
    ['when a write of a call was refused', new GatewayError('NOT_OWNER'), true],
  ] as const)
    it(`${what} does not fail it: the next owner is asked${isRepeat ? ', and told that it is a repeat' : ''}`, async () => {
      const { router, tell, asked } = scripted({}, () => ({ type: 'reply', reply: null }))
      tell({ incarnation: 'self', address: '', epoch: 1 })
      const answered = router.ask(instance, text('one'))
      tell('moving')
      await pause(1)
      locals.shift()?.(error)
      await pause(1)
      assert.equal(router.counts().parked, 1)
      tell({ incarnation: 'b', address: 'b:1', epoch: 2 })
      await answered
      const [sent] = asked
      assert.ok(sent?.command.type === 'send')
      assert.equal(sent.command.isRepeat, isRepeat)
    })

  it('and never says so is left a moment later', async () => {
    const { router, tell, asked } = scripted({ graceMs: 20 }, () => ({ type: 'reply', reply: null }))
    tell({ incarnation: 'self', address: '', epoch: 1 })
    const answered = router.ask(instance, text('one'))
    tell({ incarnation: 'b', address: 'b:1', epoch: 2 })
    await answered
    assert.equal(asked.length, 1)
    // What it says later is not heard.
    locals.shift()?.(new Error('late'))
    await pause(1)
  })
})

it('calls are counted by where they were carried out, how often they came back, and how long they waited', async () => {
  const registry = new Registry()
  let counts: Router['counts'] = () => ({ parked: 0, unanswered: 0 })
  const metrics = createCallMetrics(registry, { calls: () => counts(), served: () => 3 })
  let isFirst = true
  const { router } = scripted({ observe: metrics.router }, () => {
    const outcome: PeerOutcome = isFirst ? { type: 'busy' } : { type: 'reply', reply: null }
    isFirst = false
    metrics.attempt({ outcome: outcome.type, durationMs: 2 })
    return outcome
  })
  counts = () => router.counts()
  await router.ask(instance, text('one'))
  const told = await registry.metrics()
  for (const line of [
    'posthorn_call_seconds_count{where="there"} 1',
    'posthorn_calls_returned_total{why="busy"} 1',
    'posthorn_call_parked_seconds_count{how="went_on"} 1',
    'posthorn_peer_attempt_seconds_count{outcome="busy"} 1',
    'posthorn_calls{state="parked"} 0',
    'posthorn_calls{state="served"} 3',
  ])
    assert.ok(told.includes(line), line)
})

it('calls that nobody can take now are counted while they wait, and when there is no room to', async () => {
  const registry = new Registry()
  let counts: Router['counts'] = () => ({ parked: 0, unanswered: 0 })
  const metrics = createCallMetrics(registry, { calls: () => counts(), served: () => 0 })
  const { router, tell } = scripted({ observe: metrics.router, parkedMax: 1 }, () => ({ type: 'reply', reply: null }))
  counts = () => router.counts()
  tell('none')
  const parked = router.ask(instance, text('one'))
  await assert.rejects(router.ask(instance, text('two')), { code: 'INSTANCE_MOVING' })
  const told = await registry.metrics()
  for (const line of ['posthorn_calls{state="parked"} 1', 'posthorn_call_parked_seconds_count{how="no_room"} 1'])
    assert.ok(told.includes(line), line)
  tell({ incarnation: 'b', address: 'b:1', epoch: 1 })
  await parked
})

it('asks a peer without the shard again, each time later', async () => {
  const { router, tell, asked } = scripted({ parkTimeoutMs: 400 }, () => ({
    type: 'moved',
    owner: { incarnation: 'c', address: 'c:1', epoch: 1 },
    wasBegun: false,
  }))
  tell({ incarnation: 'b', address: 'b:1', epoch: 5 })
  await assert.rejects(router.ask(instance, text('one')), { code: 'INSTANCE_MOVING' })
  assert.ok(asked.length >= 2 && asked.length <= 8, `${asked.length} attempts`)
  assert.ok(asked.every(({ address }) => address === 'b:1'))
})

it('no call fails and none is done twice through 200 moves at random', { timeout: 60_000 }, async (t) => {
  const random = seededRandom(chooseSeed(t))
  const { truth, a, b, c } = await startNodes(t, { workMs: () => random() * 4, router: { graceMs: 30 } })
  const nodes = [a, b, c]
  const any = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const INSTANCES = 24
  let isOver = false

  // News reaches the other nodes late; some way to them may be cut.
  const announce = (of: number, owner: Owner, except: readonly RoutingNode[]): void => {
    for (const node of nodes) if (!except.includes(node)) setTimeout(() => tellIfNewer(node, of, owner), random() * 30)
  }
  const newest = new Map<string, number>()
  const tellIfNewer = (node: RoutingNode, of: number, owner: Owner): void => {
    const name = `${node.incarnation} ${of}`
    if ((newest.get(name) ?? 0) >= owner.epoch) return
    newest.set(name, owner.epoch)
    const to = nodes.find(({ incarnation }) => incarnation === owner.incarnation)
    node.tell(of, node === to ? owner : { ...owner, address: `127.0.0.1:${to?.proxy.port}` })
  }
  for (let of = 0; of < SHARDS_OF_TEST; of += 1) {
    const to = any(nodes)
    const owner = ownerAs(to, truth.give(of, to.incarnation))
    for (const node of nodes) tellIfNewer(node, of, owner)
  }

  const busy = new Set<number>()
  async function planned(of: number, from: RoutingNode, to: RoutingNode): Promise<void> {
    from.tell(of, 'moving')
    await from.quiet(of)
    await pause(random() * 10)
    const owner = ownerAs(to, truth.give(of, to.incarnation))
    await pause(random() * 5)
    tellIfNewer(from, of, owner)
    await pause(random() * 10)
    tellIfNewer(to, of, owner)
    announce(of, owner, [from, to])
  }
  /** It was thought dead and is not: it continues, and its writes are refused. */
  async function taken(of: number, from: RoutingNode, to: RoutingNode): Promise<void> {
    const owner = ownerAs(to, truth.give(of, to.incarnation))
    await pause(random() * 10)
    tellIfNewer(to, of, owner)
    announce(of, owner, [to])
    await pause(random() * 20)
    tellIfNewer(from, of, owner)
  }
  async function moves(): Promise<void> {
    const under: Promise<void>[] = []
    for (let count = 0; count < 200; count += 1) {
      const of = any([...Array(SHARDS_OF_TEST).keys()].filter((one) => !busy.has(one)))
      if (of === undefined) {
        await pause(5)
        count -= 1
        continue
      }
      const owner = truth.owners.get(of)?.incarnation
      const from = nodes.find(({ incarnation }) => incarnation === owner) as RoutingNode
      const to = any(nodes.filter((node) => node !== from))
      busy.add(of)
      under.push((random() < 0.7 ? planned : taken)(of, from, to).finally(() => busy.delete(of)))
      if (random() < 0.1) {
        const cut = any(nodes)
        cut.proxy.cut()
        setTimeout(() => cut.proxy.mend(), random() * 30)
      }
      await pause(random() * 10)
    }
    await Promise.all(under)
    isOver = true
  }
  let asked = 0
  async function caller(node: RoutingNode, name: string): Promise<void> {
    for (let count = 0; !isOver; count += 1) {
      const id = `${name} ${count}`
      asked += 1
      const reply = await node.router.ask(createInstanceId(Math.floor(random() * INSTANCES)), text(id))
      assert.equal(reply.record.messageid, id)
    }
  }
  const callers = nodes.flatMap((node) => [...Array(10).keys()].map((n) => caller(node, `${node.incarnation}${n}`)))
  await Promise.all([moves(), ...callers])
  const ids = truth.done.map(({ messageid }) => messageid)
  assert.deepEqual(
    truth.done.filter(({ messageid }) => ids.indexOf(messageid) !== ids.lastIndexOf(messageid)),
    [],
    'sent twice',
  )
  assert.equal(ids.length, asked, 'a message was not sent')
  for (const node of nodes) assert.deepEqual(node.router.counts(), { parked: 0, unanswered: 0 })
  t.diagnostic(`${asked} calls`)
})

/** Waiting local calls of `scripted`; each is ended by an error. */
const locals: ((error: unknown) => void)[] = []

/** A router over peers with given answers. */
function scripted(options: Partial<RouterOptions>, answer: (command: PeerCommand, address: string) => PeerOutcome) {
  const asked: { readonly address: string; readonly command: Command }[] = []
  const listeners = new Set<() => void>()
  let owner: Owner | 'moving' | 'none' = { incarnation: 'b', address: 'b:1', epoch: 1 }
  locals.length = 0
  const call: PeerClient['call'] = (address, command) => {
    asked.push({ address, command: command.command })
    return { outcome: Promise.resolve(answer(command, address)), abort: () => {} }
  }
  const router = new OwnerRouter({
    table: {
      findOwner: () => owner,
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    self: 'self',
    rules: repeatRules,
    local: { ask: () => new Promise((_resolve, reject) => locals.push(reject)) },
    peers: { call },
    findShard: () => 0,
    ...options,
  })
  return {
    router,
    asked,
    tell(next: Owner | 'moving' | 'none') {
      owner = next
      for (const listener of listeners) listener()
    },
  }
}
