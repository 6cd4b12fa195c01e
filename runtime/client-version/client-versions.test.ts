import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.js'
import { testLog } from '../../test/support/store.js'
import { createClientVersionKeeper } from './client-version-keeper.js'
import { type KnownRevision, type RevisionState, refuseRevision, usableRevisions } from './known-versions.js'
import { createVersionSource, formatSourceUrl, revisionIn } from './version-source.js'

const BUILT_IN = 1_043_000_000
const NEWER = 1_044_000_000
const NEWEST = 1_045_000_000

/** The table of a cluster, and a node on it. */
function cluster(rows: KnownRevision[] = []) {
  const table = new Map<number, RevisionState>(rows.map(({ revision, state }) => [revision, state]))
  const node = (pinned?: readonly [number, number, number]) =>
    createClientVersionKeeper({
      builtIn: [2, 3000, BUILT_IN],
      pinned,
      rows: {
        read: async () => [...table].map(([revision, state]) => ({ revision, state })),
        note: async (revision, state) => void table.set(revision, state),
      },
      logger: testLog,
    })
  return { table, node }
}

describe('the version of logins', () => {
  it('is tried by one account, and used by all once that was taken', async (t) => {
    const { table, node } = cluster([{ revision: NEWER, state: 'candidate' }])
    const keeper = node()
    t.after(() => keeper.close())
    let changes = 0
    keeper.onChanged(() => {
      changes += 1
    })
    await keeper.refresh()
    assert.equal(keeper.choose(true).version[2], BUILT_IN, 'a pairing tries nothing')
    const first = keeper.choose(false)
    assert.deepEqual(first.version, [2, 3000, NEWER])
    const second = keeper.choose(false)
    assert.equal(second.version[2], BUILT_IN)
    second.accepted()
    assert.equal(changes, 0)
    // It ended for a reason of its own, so that the next one tries.
    first.ended()
    const third = keeper.choose(false)
    third.accepted()
    third.refused()
    assert.equal(changes, 1)
    assert.deepEqual([...table], [[NEWER, 'good']])
    for (const isPairing of [true, false]) assert.equal(keeper.choose(isPairing).version[2], NEWER)
    const other = node()
    t.after(() => other.close())
    await other.refresh()
    assert.equal(other.choose(true).version[2], NEWER)
  })

  it('stays as it is when the network refuses the one that is tried', async (t) => {
    const { table, node } = cluster([{ revision: NEWER, state: 'candidate' }])
    const keeper = node()
    t.after(() => keeper.close())
    let [asked, changes] = [0, 0]
    keeper.onRefused(() => {
      asked += 1
    })
    keeper.onChanged(() => {
      changes += 1
    })
    await keeper.refresh()
    keeper.choose(false).refused()
    assert.deepEqual([...table], [[NEWER, 'refused']])
    assert.equal(keeper.choose(false).version[2], BUILT_IN)
    assert.deepEqual([asked, keeper.refusals], [1, 1])
    // The account that tried it connects again with the usual one.
    await eventually(
      () => changes,
      (count) => count === 1,
    )
  })

  it('is the newest candidate for all when the one in use is refused, and is learnt from other nodes', async (t) => {
    const { table, node } = cluster()
    const keeper = node()
    t.after(() => keeper.close())
    let changes = 0
    keeper.onChanged(() => {
      changes += 1
    })
    keeper.choose(false).refused()
    assert.deepEqual([keeper.usable.isRefused, keeper.choose(false).version[2]], [true, BUILT_IN])
    // Another node has asked the source.
    table.set(NEWER, 'candidate')
    table.set(NEWEST, 'candidate')
    await eventually(
      () => changes,
      (count) => count === 1,
    )
    for (const isPairing of [true, false]) assert.equal(keeper.choose(isPairing).version[2], NEWEST)
  })

  it('is the pinned one and no other', async (t) => {
    const { table, node } = cluster([{ revision: NEWER, state: 'good' }])
    const keeper = node([2, 3000, 7])
    t.after(() => keeper.close())
    let asked = 0
    keeper.onRefused(() => {
      asked += 1
    })
    await keeper.refresh()
    const choice = keeper.choose(false)
    assert.deepEqual(choice.version, [2, 3000, 7])
    choice.refused()
    assert.deepEqual([asked, keeper.refusals, keeper.revision], [0, 1, 7])
    assert.deepEqual([...table], [[NEWER, 'good']])
  })

  it('never goes back to an older one of the source, nor to a number that is no revision', () => {
    const usable = usableRevisions(
      [
        { revision: NEWER, state: 'good' },
        { revision: BUILT_IN - 5, state: 'candidate' },
        { revision: NEWER - 1, state: 'candidate' },
      ],
      BUILT_IN,
    )
    assert.deepEqual(usable, { usual: NEWER, toTry: undefined, isRefused: false })
    assert.equal(refuseRevision(NEWEST, usable), undefined)
    for (const revision of [0, -1, 1.5, Number.NaN, 12, NEWER + 300_000_000, 2 ** 53])
      assert.match(refuseRevision(revision, usable) ?? '', /revision/i, String(revision))
  })
})

describe('the source of versions', () => {
  it('is the service worker of the network', () => {
    assert.equal(formatSourceUrl('wss://web.whatsapp.com/ws/chat'), 'https://web.whatsapp.com/sw.js')
    assert.equal(formatSourceUrl('ws://127.0.0.1:4000/ws/chat'), 'http://127.0.0.1:4000/sw.js')
  })

  it('is read in JSON and in JSON within a string', () => {
    assert.equal(revisionIn('x = {"client_revision":1043857760,"a":1}'), 1_043_857_760)
    assert.equal(revisionIn(String.raw`importScripts("{\"client_revision\":1043857760}")`), 1_043_857_760)
    assert.equal(revisionIn('{"client_revision": 1043857760} {"client_revision":1043857760}'), 1_043_857_760)
  })

  it('is refused with a sentence when it names none, several, or something else', async () => {
    const answers = [
      '',
      '<html>client_revision</html>',
      '{"client_revision":"1043857760"}',
      '{"client_revision":12345678901234567890}',
      '{"client_revision":1,"client_revision":2}',
      '{"client_revision":-5}',
      'x'.repeat(1_000_000),
    ]
    for (const body of answers) {
      const source = createVersionSource('ws://sandbox.example/ws', {
        get: async (url) => ({ url, contentType: 'text/plain', body: Buffer.from(body) }),
      })
      await assert.rejects(source.read(), /version source names/, body.slice(0, 40))
    }
  })
})
