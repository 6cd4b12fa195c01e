/** Patroni itself, with the settings of the documentation: what `docs/operations/failover.md` promises for synchronous replication holds. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startPatroni } from '../support/patroni.js'
import { whyNoPatroni } from '../support/patroni-program.js'
import { databasePlace } from '../support/proxy.js'
import { startScene } from './scene.js'

/** `ttl` of the settings, and what Patroni and a busy machine take until another member leads and its standby follows. */
const ELECTED_MS = 120_000
/** No promise: commits wait until Patroni has named a synchronous standby of the new primary, which it looks for every 5 s. */
const GOES_ON_MS = 60_000

it('a switchover and the loss of the primary under Patroni lose, double and disorder nothing', {
  skip: whyNoPatroni() ?? false,
}, async (t) => {
  const patroni = await startPatroni(t)
  const { connectionString } = patroni
  const scene = await startScene(t, {
    nodes: 2,
    instances: 3,
    everyMs: 200,
    database: { connectionString, at: () => databasePlace(connectionString).target },
  })
  const isUndisturbed = async () => {
    for (const node of scene.cluster.nodes) {
      const { body } = await node.call<{ store: unknown }>('GET', '/admin/nodes', { admin: true })
      assert.deepEqual(body.store, { state: 'current', wentBack: null })
    }
  }
  await scene.goesOn(10)

  const first = await patroni.primary()
  await patroni.switchOver()
  await scene.goesOn(10, GOES_ON_MS)
  assert.notEqual((await patroni.primary()).name, first.name)
  await isUndisturbed()

  await patroni.settled()
  const lost = await patroni.primary()
  await lost.kill()
  const killedAtMs = performance.now()
  await eventually(
    () => patroni.primary().catch(() => lost),
    ({ name }) => name !== lost.name,
    ELECTED_MS,
  )
  t.diagnostic(`another primary after ${Math.round(performance.now() - killedAtMs)} ms`)
  await scene.goesOn(1, GOES_ON_MS)
  t.diagnostic(`a send succeeded after ${Math.round(performance.now() - killedAtMs)} ms`)
  await scene.goesOn(10)
  // The former primary is rewound, and follows.
  lost.start()
  await patroni.settled()
  await scene.goesOn(5)
  await isUndisturbed()
  await scene.ends(120_000)
})
