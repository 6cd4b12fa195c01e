import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decide, isQuiet } from './core.js'
import { type CoreCommand, type CoreEvent, defaultTiming, type NodeRow, type ShardRow } from './protocol.js'
import { type CoreState, startCore } from './state.js'

describe('a node that starts together with another', () => {
  const free = [
    { owner: null, epoch: 0 },
    { owner: null, epoch: 0 },
  ]

  it('takes no shards before both live, and then only its own', () => {
    const node = member(free, [row('a')], ['a', 'b'])
    assert.ok(!node.wait(5_000).includes('claim'))
    node.read(free, [row('a'), row('b', { incarnation: 'former', isDead: true })])
    assert.ok(!node.wait(1_000).includes('claim'), 'A former process of that name is none that starts.')
    assert.deepEqual(node.read(free, [row('a'), row('b')]), ['claim'])
    assert.deepEqual(node.claimed(), [0])
  })

  it('takes all when the other does not come', () => {
    const node = member(free, [row('a')], ['a', 'b'])
    assert.ok(node.wait(10_000).includes('claim'))
    assert.deepEqual(node.claimed(), [0, 1])
  })

  it('takes all at once when it starts alone', () => {
    const node = member(free, [row('a')])
    assert.deepEqual(node.claimed(), [0, 1])
  })

  it('takes all 4,096 shards of a large cluster in slices, each after the answer to the one before', () => {
    const node = member(
      Array.from({ length: 4_096 }, () => ({ owner: null, epoch: 0 })),
      [row('a')],
    )
    const taken: number[] = []
    for (let commands = ['claim']; commands.includes('claim'); ) {
      const shards = node.claimed()
      assert.ok(shards.length <= 512, `${shards.length}`)
      taken.push(...shards)
      assert.deepEqual(node.wait(200), [])
      commands = node.tell({ type: 'claimed', granted: shards.map((shard) => ({ shard, epoch: 1 })) })
      assert.equal(commands.filter((type) => type === 'activate').length, shards.length)
    }
    assert.deepEqual(taken, [...Array(4_096).keys()])
    assert.ok(node.isQuiet())
  })
})

describe('the source of a planned move', () => {
  const asked: CoreEvent = { type: 'pullAsked', requestId: 'q', shard: 0, epoch: 1, by: 'b' }

  it('asks SQL only when its actors have ended, and tells the target', () => {
    const node = member([{ owner: 'a', epoch: 1 }])
    assert.deepEqual(node.tell(asked), ['quiet'])
    assert.deepEqual(node.tell({ type: 'quieted', shard: 0, epoch: 1 }), ['handOver'])
    const after: CoreEvent = { type: 'rowAfter', shard: 0, epoch: 1, row: { owner: 'b', epoch: 2 } }
    assert.deepEqual(node.tell(after), ['answerPull', 'announce'])
  })

  it('acts again only under a raised epoch when SQL did not answer', () => {
    const node = member([{ owner: 'a', epoch: 1 }])
    node.tell(asked)
    node.tell({ type: 'quieted', shard: 0, epoch: 1 })
    assert.deepEqual(node.tell({ type: 'rowUnknown', shard: 0, epoch: 1 }), ['answerPull'])
    assert.ok(node.wait(defaultTiming.retryMs).includes('raise'))
    const raised: CoreEvent = { type: 'rowAfter', shard: 0, epoch: 1, row: { owner: 'a', epoch: 2 } }
    assert.deepEqual(node.tell(raised), ['activate'])
  })

  it('does not take a late answer for that to its present question', () => {
    const node = member([{ owner: 'a', epoch: 2 }])
    node.tell({ ...asked, epoch: 2 })
    node.tell({ type: 'quieted', shard: 0, epoch: 2 })
    const late: CoreEvent = { type: 'rowAfter', shard: 0, epoch: 1, row: { owner: 'a', epoch: 2 } }
    assert.deepEqual(node.tell(late), [])
  })

  it('gives one shard at a time to a target', () => {
    const node = member([
      { owner: 'a', epoch: 1 },
      { owner: 'a', epoch: 1 },
    ])
    node.tell(asked)
    assert.deepEqual(node.tell({ ...asked, requestId: 'r', shard: 1 }), ['answerPull'])
  })
})

describe('a node', () => {
  it('gives nothing to one that drains', () => {
    const node = member([{ owner: 'a', epoch: 1 }], [row('a'), row('b', { isDraining: true })])
    const asked: CoreEvent = { type: 'pullAsked', requestId: 'q', shard: 0, epoch: 1, by: 'b' }
    assert.deepEqual(node.tell(asked), ['answerPull'])
  })

  it('stops a shard at once that it reads to be another node’s', () => {
    const node = member([{ owner: 'a', epoch: 1 }])
    assert.deepEqual(node.read([{ owner: 'b', epoch: 2 }]), ['deactivate'])
  })

  it('is quiet, so that it may wake less often, only while it is alone, acts on all shards and may write', () => {
    const tick = (isGuardOpen: boolean): CoreEvent => ({ type: 'tick', isGuardOpen, canLogin: true })
    const node = member([{ owner: 'a', epoch: 1 }], [row('a')])
    node.tell(tick(true))
    assert.ok(node.isQuiet())
    node.tell(tick(false))
    assert.ok(!node.isQuiet())
    node.tell(tick(true))
    node.read([{ owner: null, epoch: 1 }])
    assert.ok(!node.isQuiet())
    const joined = member([{ owner: 'a', epoch: 1 }], [row('a')])
    joined.read([{ owner: 'a', epoch: 1 }], [row('a'), row('b')])
    assert.ok(!joined.isQuiet())
    const leaving = member([{ owner: 'a', epoch: 1 }], [row('a')])
    leaving.tell({ type: 'drainAsked' })
    assert.ok(!leaving.isQuiet())
  })

  it('reads 4,096 shards a few times a second during many moves, the last of them soon, and 256 after each move', () => {
    const createReadings = (shards: number) => {
      const rows = Array.from({ length: shards }, () => ({ owner: 'b', epoch: 1 }))
      const node = member(rows)
      const before = node.readings()
      for (let passedMs = 0; passedMs < 5_000; passedMs += 50) {
        node.wait(50)
        node.tell({ type: 'hint' })
        node.read(rows)
      }
      const during = node.readings() - before
      node.tell({ type: 'hint' })
      node.wait(200)
      return { during, after: node.readings() - before - during }
    }
    const many = createReadings(4_096)
    assert.ok(many.during >= 20 && many.during <= 45, `${many.during}`)
    assert.equal(many.after, 1)
    assert.ok(createReadings(256).during >= 100)
  })

  it('does not go back to an older row', () => {
    const node = member([{ owner: 'b', epoch: 2 }])
    assert.deepEqual(node.read([{ owner: 'a', epoch: 1 }]), [])
  })

  it('pulls nothing for an older version, and during a roll-out only from draining nodes', () => {
    const rows: ShardRow[] = Array.from({ length: 4 }, () => ({ owner: 'b', epoch: 1 }))
    const newer = row('b', { version: '1.1.0' })
    assert.ok(
      !member(rows, [row('a'), newer])
        .wait(10_000)
        .includes('askPull'),
    )
    const older = row('b', { version: '0.9.0' })
    assert.ok(
      !member(rows, [row('a'), older])
        .wait(10_000)
        .includes('askPull'),
    )
    assert.ok(
      member(rows, [row('a'), { ...older, isDraining: true }])
        .wait(100)
        .includes('askPull'),
    )
  })

  it('of a lower revision is older', () => {
    const rows: ShardRow[] = Array.from({ length: 4 }, () => ({ owner: 'b', epoch: 1 }))
    const one = row('a', { version: '1.0.0+9' })
    const pulls = (version: string) =>
      member(rows, [one, row('b', { version, isDraining: true }), row('c', { version })])
        .wait(10_000)
        .includes('askPull')
    assert.ok(!pulls('1.0.0+10'))
    assert.ok(pulls('1.0.0+8'))
    assert.ok(pulls('0.9.9+10'))
  })

  it('stays without shards after an administrator has drained it, and ends on request', () => {
    const nodes = [row('a', { isDraining: true }), row('b')]
    const node = member([{ owner: 'a', epoch: 1 }], nodes)
    assert.ok(!node.wait(10_000).includes('end'))
    node.tell({ type: 'pullAsked', requestId: 'q', shard: 0, epoch: 1, by: 'b' })
    node.tell({ type: 'quieted', shard: 0, epoch: 1 })
    const given: CoreEvent = { type: 'rowAfter', shard: 0, epoch: 1, row: { owner: 'b', epoch: 2 } }
    assert.deepEqual(node.tell(given), ['answerPull', 'announce'])
    assert.deepEqual(node.wait(10_000), [])
    assert.ok(node.tell({ type: 'drainAsked' }).includes('end'))
  })

  it('takes free shards while it drains only if no other node can, and never when it is about to end', () => {
    const free: ShardRow[] = [{ owner: 'c', epoch: 1 }]
    const [draining, dead] = [{ isDraining: true }, row('c', { isDead: true })]
    assert.deepEqual(member(free, [row('a', draining), row('b'), dead]).wait(10_000), [])
    const last = member(free, [row('a', draining), row('b', draining), dead])
    assert.ok(last.wait(10_000).includes('claim'))
    const some: ShardRow[] = [{ owner: 'a', epoch: 1 }, ...free]
    const ending = member(some, [row('a', draining), row('b', draining), dead])
    ending.tell({ type: 'drainAsked' })
    assert.deepEqual(ending.wait(10_000), [])
  })

  it('is not dead because it is missing in a table that was requested before it registered', () => {
    const self = { incarnation: 'a', nodeId: 'a', address: 'a:1' }
    let state: CoreState = startCore(self, defaultTiming, 0)
    const tell = (event: CoreEvent) => {
      const step = decide(state, event, 0)
      state = step.state
      return step.commands.map(({ type }) => type)
    }
    const table = (...nodes: NodeRow[]): CoreEvent => ({ type: 'table', shards: [{ owner: 'b', epoch: 1 }], nodes })
    const tick: CoreEvent = { type: 'tick', isGuardOpen: true, canLogin: true }
    assert.ok(tell(tick).includes('readTable'))
    assert.ok(tell(table(row('b'))).includes('register'))
    assert.ok(tell({ type: 'hint' }).includes('readTable'))
    tell({ type: 'registered', sentAt: { monotonicMs: 0, wallMs: 0 } })
    assert.deepEqual(tell(table(row('b'))), ['readTable'])
    assert.ok(!tell(table(row('b'), row('a'))).includes('end'))
    tell({ type: 'hint' })
    assert.ok(tell(table(row('b'))).includes('end'))
  })

  it('is replaced in one step by a process started in its place, so that its shards always have a living owner', () => {
    const self = { incarnation: 'a2', nodeId: 'a', address: 'a:1' }
    let state: CoreState = startCore(self, defaultTiming, 0)
    let nowMs = 0
    const commands: CoreCommand[] = []
    const tell = (event: CoreEvent) => {
      const step = decide(state, event, nowMs)
      state = step.state
      commands.push(...step.commands)
    }
    const shards: ShardRow[] = [{ owner: 'a', epoch: 1 }]
    const silence = () => {
      for (const untilMs = nowMs + 2 * defaultTiming.predecessorMs; nowMs < untilMs; nowMs += 50) {
        const leases = [{ incarnation: 'a', creation: 1, counter: 7, hasLeft: false }]
        tell({ type: 'leases', sentAtMs: nowMs, history: 'h', leases })
        tell({ type: 'tick', isGuardOpen: false, canLogin: true })
      }
    }
    tell({ type: 'tick', isGuardOpen: false, canLogin: true })
    tell({ type: 'table', shards, nodes: [row('a'), row('b')] })
    silence()
    const asked = () => commands.filter(({ type }) => type === 'register' || type === 'declareDead')
    assert.deepEqual(asked(), [{ type: 'register', over: { incarnation: 'a', revision: 1 } }])
    // It has shown a sign of life in between.
    tell({ type: 'registerRefused' })
    tell({ type: 'table', shards, nodes: [row('a', { revision: 2 }), row('b')] })
    tell({ type: 'tick', isGuardOpen: false, canLogin: true })
    assert.equal(asked().length, 1)
    silence()
    assert.deepEqual(asked()[1], { type: 'register', over: { incarnation: 'a', revision: 2 } })
    tell({ type: 'registered', sentAt: { monotonicMs: nowMs, wallMs: nowMs } })
    tell({ type: 'tick', isGuardOpen: true, canLogin: true })
    const after: CoreEvent = {
      type: 'table',
      shards,
      nodes: [row('a', { isDead: true }), row('b'), { ...row('a'), incarnation: 'a2' }],
    }
    // The first may have been asked for before.
    tell(after)
    tell(after)
    assert.deepEqual(commands.at(-1), { type: 'claim', shards: [{ shard: 0, owner: 'a', epoch: 1 }] })
  })

  it('starts again when the store went back: gives up its shards, registers, and claims when nobody can act by the former store', () => {
    const node = member([
      { owner: 'a', epoch: 7 },
      { owner: 'b', epoch: 3 },
    ])
    const freed = [
      { owner: null, epoch: 1_007 },
      { owner: null, epoch: 1_007 },
    ]
    const back: CoreEvent = { type: 'storeBack', shards: freed, nodes: [] }
    assert.deepEqual(node.tell(back), ['deactivate', 'register'])
    node.tell({ type: 'registered', sentAt: { monotonicMs: 0, wallMs: 0 } })
    node.read(freed, [row('a')])
    // Late answers by the former store.
    node.tell({ type: 'claimed', granted: [{ shard: 1, epoch: 4 }] })
    assert.deepEqual(node.tell({ type: 'rowAfter', shard: 0, epoch: 7, row: { owner: 'a', epoch: 8 } }), [])
    assert.ok(!node.wait(defaultTiming.leaseMs - 200).includes('claim'))
    assert.ok(node.wait(500).includes('claim'))
    assert.deepEqual(node.claimed(), [0, 1])
  })

  it('forgets deaths that the store has lost', () => {
    const node = member([{ owner: 'b', epoch: 3 }], [row('a'), row('b', { isDead: true })])
    node.tell({ type: 'storeBack', shards: [{ owner: null, epoch: 1_003 }], nodes: [row('a'), row('b')] })
    assert.deepEqual(node.read([{ owner: 'b', epoch: 1_004 }], [row('a'), row('b')]), [])
    assert.ok(!node.wait(1_000).includes('claim'))
  })

  it('ends when it reads that it is dead', () => {
    const node = member([{ owner: 'a', epoch: 1 }])
    assert.deepEqual(node.read([{ owner: 'a', epoch: 1 }], [row('a', { isDead: true }), row('b')]), ['fence', 'end'])
  })
})

/** Node `a`, registered, with an open guard, in a cluster with `b`. What it asks of its stores all the time is left out. */
function member(
  shards: readonly ShardRow[],
  nodes: readonly NodeRow[] = [row('a'), row('b')],
  startsWith: readonly string[] = [],
) {
  const self = { incarnation: 'a', nodeId: 'a', address: 'a:1' }
  let state: CoreState = startCore(self, defaultTiming, 0, {}, startsWith)
  let nowMs = 0
  let claimed: readonly number[] = []
  let readings = 0
  const node = {
    tell(event: CoreEvent): CoreCommand['type'][] {
      const step = decide(state, event, nowMs)
      state = step.state
      for (const command of step.commands)
        if (command.type === 'claim') claimed = command.shards.map(({ shard }) => shard)
        else if (command.type === 'readTable') readings += 1
      return step.commands
        .map((command) => command.type)
        .filter((type) => type !== 'readTable' && type !== 'readLeases')
    },
    read: (rows: readonly ShardRow[], members = nodes) => node.tell({ type: 'table', shards: rows, nodes: members }),
    isQuiet: () => isQuiet(state),
    /** Returns how often it has asked for the table. */
    readings: () => readings,
    /** Returns the shards of the last claim. */
    claimed: () => claimed,
    wait(ms: number): CoreCommand['type'][] {
      const commands: CoreCommand['type'][] = []
      for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
        nowMs += 50
        commands.push(...node.tell({ type: 'tick', isGuardOpen: true, canLogin: true }))
      }
      return commands
    },
  }
  node.tell({ type: 'registered', sentAt: { monotonicMs: 0, wallMs: 0 } })
  node.tell({ type: 'tick', isGuardOpen: true, canLogin: false })
  node.read(shards)
  return node
}

function row(name: string, news: Partial<NodeRow> = {}): NodeRow {
  const fresh = { isDraining: false, isDead: false, revision: 1 }
  return { incarnation: name, nodeId: name, address: `${name}:1`, version: '1.0.0', ...fresh, ...news }
}
