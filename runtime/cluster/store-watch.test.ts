import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import type { StoreLossView } from '../../schemas/ports/cluster.js'
import type { LastCommit } from '../store/journal.js'
import type { StoreIdentity, StoreNote } from './lease-scripts.js'
import type { ShardTable, TableReading } from './shard-table.js'
import type { EraStart, StoreReading } from './store-reading.js'
import { StoreWatch } from './store-watch.js'

type Note = StoreNote & { readonly isUsed: boolean }

const FRESH: StoreReading = {
  system: '7',
  timeline: '00000001',
  isStandby: false,
  started: 'monday',
  position: 1_000,
  nextXid: 100,
  counter: 10,
  era: 1,
  nowMs: 1_000_000,
  loss: null,
}

/** Two that live, of which one is the node itself, and one that has ended. */
const NODES = ['n1', 'n2', 'n3'].map((nodeId) => ({
  incarnation: nodeId === 'n1' ? 'me' : nodeId,
  nodeId,
  address: `${nodeId}:1`,
  version: '1.0.0',
  isDraining: false,
  isDead: nodeId === 'n3',
  revision: 0,
}))

/** A node before a store that the test moves in time. What other nodes have noted is the test's as well. */
function scene({ store: first = {}, noted = null }: { store?: Partial<StoreReading>; noted?: Note | null } = {}) {
  let store: StoreReading = { ...FRESH, ...first }
  let lastCommit: LastCommit | null = null
  const known = {
    noted: noted as Note | null,
    isRedisAway: false,
    hasCommit: true,
    areTold: true,
    owner: 'me' as string | null,
  }
  const eras: EraStart[] = []
  const losses: StoreLossView[] = []
  const identities: StoreIdentity[] = []
  const told: [StoreIdentity, readonly string[]][] = []
  let moves = 0
  const table: Pick<ShardTable, 'read' | 'hasCommit' | 'beginEra' | 'newestChange'> = {
    read: async (): Promise<TableReading> => ({ shards: [{ owner: known.owner, epoch: 5 }], nodes: NODES, store }),
    hasCommit: async () => known.hasCommit,
    newestChange: async () => new Date(5),
    async beginEra(start) {
      eras.push(start)
      if (start.over !== store.era) return
      const { era, cause, noticedBy, from, until } = start
      store = {
        ...store,
        era,
        counter: start.counter + 1,
        loss: { era, cause, noticedAt: new Date(0), noticedBy, from, until },
      }
    },
  }
  const watch = new StoreWatch({
    table,
    leases: {
      async noteStore(note) {
        if (known.isRedisAway) throw new Error('Redis is away.')
        const before = known.noted
        const isOlder = before !== null && (note.timeline < before.timeline || note.era < before.era)
        if (before?.isUsed !== true || (before.system === note.system && !isOlder))
          known.noted = { ...note, isUsed: true }
        return before
      },
    },
    incarnation: 'me',
    nodeId: 'n1',
    onIdentity: (identity) => identities.push(identity),
    async tell(news, nodes) {
      told.push([news, nodes.map(({ nodeId }) => nodeId)])
      return known.areTold
    },
    onNews: () => {},
    reconnect: () => {},
    log: pino({ level: 'silent' }),
  })
  watch.observe({
    wentBack: (loss) => losses.push(loss),
    moved: () => {
      moves += 1
    },
  })
  watch.followCommits(() => lastCommit)
  return {
    watch,
    known,
    eras,
    losses,
    identities,
    told,
    moves: () => moves,
    is(news: Partial<StoreReading>) {
      store = { ...store, ...news }
    },
    commits(commit: LastCommit | null) {
      lastCommit = commit
    },
  }
}

const COMMIT: LastCommit = { xid: '120', shard: 0, epoch: 5, at: new Date(1_002_500) }

describe('the watch of the store', () => {
  it('lets readings of one store pass', async () => {
    const { watch, is, eras } = scene()
    assert.equal((await watch.read())?.isBack, false)
    is({ position: 2_000, counter: 12, nextXid: 130 })
    assert.equal((await watch.read())?.isBack, false)
    assert.deepEqual(eras, [])
  })

  it('continues after a failover when the last commit is there', async () => {
    const { watch, is, commits, eras, moves, identities } = scene()
    await watch.read()
    commits(COMMIT)
    // Of the old primary, more was written than confirmed.
    is({ timeline: '00000002', position: 900 })
    assert.equal((await watch.read())?.isBack, false)
    assert.deepEqual(eras, [])
    assert.equal(moves(), 1)
    assert.deepEqual(identities.at(-1), { system: '7', timeline: 2, era: 1 })
  })

  it('begins an era after a failover when the last commit is gone, above all that was seen, with the lost span', async () => {
    const { watch, is, commits, known, eras, losses } = scene()
    await watch.read()
    is({ nextXid: 140, nowMs: 1_003_000 })
    await watch.read()
    commits(COMMIT)
    Object.assign(known, { hasCommit: false, noted: { ...(known.noted as Note), epoch: 9 } })
    is({ timeline: '00000002', nextXid: 110 })
    assert.equal((await watch.read())?.isBack, true)
    const [era] = eras
    assert.deepEqual(
      { ...era, from: era?.from?.getTime(), until: era?.until?.getTime() },
      {
        ...{ over: 1, era: 2, counter: 10, epoch: 9, cause: 'failover', noticedBy: 'n1' },
        ...{ from: 1_000_000, until: 1_003_000 },
      },
    )
    assert.equal(losses.length, 1)
    assert.equal(watch.wentBack?.era, 2)
    assert.equal((await watch.read())?.isBack, false)
  })

  it('begins an era when owners went back, or the position of one timeline', async () => {
    for (const news of [{ counter: 9 }, { position: 999, nextXid: 99 }]) {
      const { watch, is, eras } = scene()
      await watch.read()
      is(news)
      assert.equal((await watch.read())?.isBack, true)
      assert.equal(eras[0]?.cause, 'restore')
    }
  })

  it('looks for the last commit after each start of the server, since a copy may have grown past its position', async () => {
    const { watch, is, commits, known, eras } = scene()
    await watch.read()
    commits(COMMIT)
    known.hasCommit = false
    is({ position: 2_000, nextXid: 200 })
    assert.equal((await watch.read())?.isBack, false)
    is({ position: 3_000, nextXid: 300, started: 'tuesday' })
    assert.equal((await watch.read())?.isBack, true)
    assert.equal(eras[0]?.cause, 'restore')
  })

  it('tells when a later reading was judged', async () => {
    const { watch, is } = scene()
    let isJudged = false
    const judged = watch.judged().then(() => {
      isJudged = true
    })
    is({ isStandby: true })
    await watch.read()
    assert.equal(isJudged, false)
    is({ isStandby: false })
    await watch.read()
    await judged
    assert.ok(isJudged)
  })

  it('does not take a crash for a loss', async () => {
    const { watch, is, commits } = scene()
    await watch.read()
    commits(COMMIT)
    is({ position: 990, nextXid: 98 })
    assert.equal((await watch.read())?.isBack, false)
  })

  it('follows an era that another node has begun', async () => {
    const { watch, is, eras } = scene()
    await watch.read()
    is({ era: 2, counter: 3 })
    assert.equal((await watch.read())?.isBack, true)
    assert.deepEqual(eras, [])
  })

  it('acts in a new era without Redis once the other living nodes were told of it, and not before', async () => {
    const { watch, is, known, told } = scene()
    await watch.read()
    Object.assign(known, { isRedisAway: true, areTold: false })
    is({ counter: 9 })
    await assert.rejects(watch.read())
    assert.equal(watch.mayAct, false)
    known.areTold = true
    assert.equal((await watch.read())?.isBack, true)
    assert.equal(watch.mayAct, true)
    assert.deepEqual(told.at(-1), [{ system: '7', timeline: 1, era: 2 }, ['n2']])
  })

  it('acts in a new era when Redis is back, although not all others could be told', async () => {
    const { watch, is, known } = scene()
    await watch.read()
    Object.assign(known, { isRedisAway: true, areTold: false })
    is({ counter: 9 })
    await assert.rejects(watch.read())
    known.isRedisAway = false
    assert.equal((await watch.read())?.isBack, true)
  })

  it('serves nothing by an older store than another node tells of, until it reaches the newer one', async () => {
    const { watch, is, known } = scene()
    await watch.read()
    known.isRedisAway = true
    assert.equal(watch.heed({ system: '8', timeline: 2, era: 2 }), false)
    assert.equal(watch.heed({ system: '7', timeline: 1, era: 1 }), true)
    assert.equal(watch.mayAct, true)
    assert.equal(watch.heed({ system: '7', timeline: 2, era: 2 }), true)
    assert.equal(watch.mayAct, false)
    assert.equal(await watch.read(), null)
    is({ timeline: '00000002', era: 2 })
    assert.equal((await watch.read())?.isBack, true)
    assert.equal(watch.mayAct, true)
    is({ timeline: '00000001', era: 1 })
    assert.equal(await watch.read(), null)
  })

  it('waits at its start as the others do while nobody has claimed a shard in a new era', async () => {
    const { watch, known, told } = scene({ store: { era: 2 } })
    Object.assign(known, { isRedisAway: true, areTold: false, owner: null })
    await assert.rejects(watch.read())
    known.areTold = true
    assert.equal((await watch.read())?.isBack, true)
    assert.equal(told.length, 2)
    const later = scene({ store: { era: 2 } })
    later.known.isRedisAway = true
    assert.equal((await later.watch.read())?.isBack, false)
    assert.deepEqual(later.told, [])
  })

  it('tells the others of a new primary, and goes on whether they heard of it or not', async () => {
    for (const isRedisAway of [true, false]) {
      const { watch, is, commits, known, told } = scene()
      await watch.read()
      commits(COMMIT)
      Object.assign(known, { isRedisAway, areTold: false })
      is({ timeline: '00000002' })
      assert.equal((await watch.read())?.isBack, false)
      assert.deepEqual(told, [[{ system: '7', timeline: 2, era: 1 }, ['n2']]])
    }
  })

  it('serves nothing by an old primary, and continues with the new one', async () => {
    const { watch, is, known } = scene()
    await watch.read()
    known.noted = { ...(known.noted as Note), timeline: 2 }
    assert.equal(await watch.read(), null)
    assert.equal(watch.state, 'outdated')
    is({ timeline: '00000002' })
    assert.equal((await watch.read())?.isBack, false)
    assert.equal(watch.mayAct, true)
    is({ timeline: '00000001' })
    assert.equal(await watch.read(), null)
    assert.equal(watch.state, 'outdated')
  })

  it('serves nothing by a copy of the same timeline, of which the others know a newer era', async () => {
    const { watch, known, eras } = scene()
    await watch.read()
    known.noted = { ...(known.noted as Note), era: 2 }
    assert.equal(await watch.read(), null)
    assert.equal(watch.state, 'outdated')
    assert.deepEqual(eras, [])
  })

  it('serves nothing by another database, than the others use or than it used', async () => {
    const others: Note = { system: '8', timeline: 1, era: 1, counter: 1, position: 1, epoch: 1, isUsed: true }
    const beside = scene({ noted: others })
    assert.equal(await beside.watch.read(), null)
    assert.equal(beside.watch.state, 'foreign')
    const alone = scene()
    await alone.watch.read()
    alone.is({ system: '8' })
    assert.equal(await alone.watch.read(), null)
    assert.equal(alone.watch.state, 'foreign')
  })

  it('notices at its start that an older copy was restored while no node ran', async () => {
    const noted: Note = { system: '7', timeline: 1, era: 3, counter: 50, position: 5_000, epoch: 70, isUsed: false }
    const { watch, eras, losses } = scene({ noted })
    assert.equal((await watch.read())?.isBack, true)
    assert.equal(eras[0]?.era, 4)
    assert.equal(eras[0]?.counter, 50)
    assert.equal(losses.length, 1)
  })

  it('keeps what it has while it reaches a standby', async () => {
    const { watch, is } = scene()
    await watch.read()
    is({ isStandby: true, timeline: null })
    assert.equal(await watch.read(), null)
    assert.equal(watch.mayAct, true)
  })
})
