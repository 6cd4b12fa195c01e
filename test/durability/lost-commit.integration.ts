import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import { type CommitProxy, startCommitProxy } from '../support/commit-proxy.js'
import { eventually } from '../support/eventually.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld } from '../support/world.js'

const BEN = '15550350002'
const JOURNAL = 'posthorn journal'

it('a send whose commit was made and not confirmed reaches its chat once, with its file, whatever its caller does', async (t) => {
  const proxies: CommitProxy[] = []
  const world = await startWorld(
    t,
    { RECONNECT_DELAY_MAX_MS: '500', DATABASE_CONNECT_TIMEOUT_MS: '1000' },
    {
      between: async (connectionString) => {
        proxies.push(await startCommitProxy(t, connectionString))
        return proxies[0]?.connectionString ?? ''
      },
    },
  )
  const [proxy] = proxies
  assert.ok(proxy !== undefined)
  const ana = await world.paired('15550350001', 'Ana')
  await world.phone(BEN, 'Ben')
  const database = await connectDatabase(t, world.gateway.databaseUrl)
  const shown = () => world.network<{ text: string; media: ShownMedia[] }[]>('GET', `/phones/${BEN}/messages?own=false`)

  // The connection is reset between the commit and its answer; a caller who hears that nothing was accepted sends again.
  for (const at of ['after', 'before', 'after'] as const) {
    const text = randomBytes(8).toString('hex')
    const cut = proxy.cutNext(at, JOURNAL, { holding: text })
    const send = () => ana.call('POST', '/send/text', { number: BEN, text })
    const answer = await send()
    await cut
    if (at === 'after') assert.equal(answer.status, 200, JSON.stringify(answer.body))
    else assert.deepEqual([answer.status, answer.body.code], [503, 'STORE_UNAVAILABLE'])
    if (answer.status === 503) assert.equal((await eventually(send, ({ status }) => status === 200)).status, 200)
    await eventually(shown, (all) => all.some((one) => one.text === text))
    // Later messages of the chat arrive later.
    await eventually(
      () => ana.call('POST', '/send/text', { number: BEN, text: `after ${text}` }),
      ({ status }) => status === 200,
    )
    const all = await eventually(shown, (some) => some.some((one) => one.text === `after ${text}`))
    assert.equal(all.filter((one) => one.text === text).length, 1)
  }

  // Nobody is left to ask.
  const file = randomBytes(50_000)
  const body = { number: BEN, type: 'document', file: file.toString('base64'), docName: 'the report', async: true }
  const cut = proxy.cutNext('after', JOURNAL, { holding: 'the report', andStays: true })
  const answer = await ana.call('POST', '/send/media', body)
  await cut
  assert.deepEqual([answer.status, answer.body.code], [504, 'OUTCOME_UNKNOWN'])
  assert.equal((await database.query('SELECT FROM message WHERE outbox = 1')).rowCount, 1)
  proxy.mend()
  // A new connection looks at the queue at once.
  await eventually(async () => (await ana.call('POST', '/instance/reset', {})).status === 200)
  const media = await eventually(
    async () => (await shown()).flatMap((one) => one.media),
    (all) => all.length > 0,
    40_000,
  )
  assert.deepEqual(
    media.map(({ sha256 }) => sha256),
    [createHash('sha256').update(file).digest('hex')],
  )
})
