import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance } from '../support/world.js'

const BUILT_IN = 1_043_857_760
const FASTER = { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '600' }

interface Versions {
  readonly asked: number
  readonly seen: readonly { revision: number; isTaken: boolean }[]
}

const isRefused = (instance: TestInstance) =>
  eventually(
    () => instance.status(),
    ({ instance: { lastDisconnectReason } }) => /^405: /.test(String(lastDisconnectReason)),
  )

describe('when the network refuses the version of the client', () => {
  it('all accounts of a cluster return by themselves with the present one, for which one node has asked', async (t) => {
    const cluster = await startCluster(t, { nodes: 2, env: { ...FASTER, RECONNECT_DELAY_MAX_MS: '60000' } })
    const numbers = Array.from({ length: 6 }, (_, index) => `1555170000${index}`)
    const accounts = await Promise.all(numbers.map((number) => cluster.paired(number)))
    const minimum = BUILT_IN + 1_000
    await cluster.network('POST', '/client-version', { minimum, current: minimum + 500 })
    await cluster.network('POST', '/faults/stream-error', { code: 503 })
    for (const account of accounts) await account.connected()
    const { asked, seen } = await cluster.network<Versions>('GET', '/client-version')
    assert.equal(asked, 1)
    const taken = seen.filter(({ revision }) => revision === minimum + 500)
    assert.equal(taken.length, accounts.length)
    await accounts[0]?.text(numbers[1] ?? '', 'with the present version')
  })

  it('rubbish of the source changes nothing; the version is kept over a restart, and a pinned one is the only one', async (t) => {
    const world = await startWorld(t, FASTER)
    const ana = await world.paired('15551710001', 'Ana')
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const revisions = async () =>
      (await database.query<{ revision: string; state: string }>('SELECT revision, state FROM client_version')).rows
    const versions = () => world.network<Versions>('GET', '/client-version')
    const rubbish = [
      { status: 500, body: 'busy' },
      { body: '<html>Sign in</html>' },
      { body: '{"client_revision":9999999999}' },
      { body: '{"client_revision":1}' },
      { body: `{"client_revision":${BUILT_IN + 9}}${' '.repeat(5_000_000)}` },
    ]
    const minimum = BUILT_IN + 1_000
    for (const [index, answer] of rubbish.entries()) {
      await world.network('POST', '/client-version', { minimum, ...answer })
      // The source may be asked again at once, and the next login that is refused does so.
      await database.query("UPDATE cluster_job SET started = NULL, failure = NULL WHERE name = 'client-version'")
      if (index === 0) await world.network('POST', '/faults/stream-error', { code: 503 })
      await eventually(
        () => database.query<{ failure: string }>("SELECT failure FROM cluster_job WHERE name = 'client-version'"),
        ({ rows }) => (rows[0]?.failure ?? null) !== null,
      )
      const known = await revisions()
      assert.deepEqual(
        known.map(({ revision, state }) => [Number(revision), state]),
        [[BUILT_IN, 'refused']],
        JSON.stringify(answer).slice(0, 60),
      )
    }
    const { instance } = await isRefused(ana)
    assert.deepEqual([instance.status, /WA_VERSION/.test(String(instance.lastDisconnectReason))], ['connecting', true])

    await world.network('POST', '/client-version', { minimum, current: minimum + 7 })
    await database.query("UPDATE cluster_job SET started = NULL WHERE name = 'client-version'")
    await ana.connected()
    const { asked } = await versions()

    await world.network('POST', '/client-version', { minimum, status: 500 })
    await world.gateway.kill()
    await world.gateway.start()
    await ana.connected()
    const after = await versions()
    assert.deepEqual(after.seen.at(-1), { revision: minimum + 7, isTaken: true })
    assert.equal(after.asked, asked)

    await world.gateway.kill()
    await world.gateway.start({ WA_VERSION: `2.3000.${minimum - 1}` })
    await eventually(versions, ({ seen }) => seen.at(-1)?.revision === minimum - 1)
    await isRefused(ana)
    await world.network('POST', '/client-version', { minimum: minimum - 1, current: minimum + 9 })
    await ana.connected()
    const pinned = await versions()
    assert.deepEqual(pinned.seen.at(-1), { revision: minimum - 1, isTaken: true })
    assert.equal(pinned.asked, asked)
  })
})
