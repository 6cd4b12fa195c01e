import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CommitProxy, startCommitProxy } from '../support/commit-proxy.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'
import { uniqueByEvent } from './tally.js'

type Json = Record<string, unknown>

const [ANA, BEN] = ['15550360001', '15550360002']
const JOURNAL = 'posthorn journal'

it('an edit at whose commit the node dies is applied and reported once, and nobody is asked for it again', async (t) => {
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
  const receiver = await startReceiver(t)
  await world.phone(BEN, 'Ben')
  const ana = await world.paired(ANA, 'Ana')
  await ana.hook(receiver.url, { events: ['messages', 'messages_update'] })
  const find = async () => (await ana.messages({ chatid: `${BEN}@s.whatsapp.net` })) as Json[]
  const ids: unknown[] = []

  for (const at of ['after', 'before'] as const) {
    const id = await world.write(BEN, ANA, `the original, ${at}`)
    await receiver.message(id)
    ids.push(id)
    const text = `the edit, cut ${at} the commit`
    const cut = proxy.cutNext(at, JOURNAL, { holding: text, andStays: true })
    const edit = await world.network<{ id: string }>('POST', `/phones/${BEN}/edit`, { id, text })
    await cut
    await world.gateway.kill('SIGKILL')
    proxy.mend()
    await world.gateway.start()
    await ana.connected()
    await eventually(find, (all) => String(all.find(({ messageid }) => messageid === id)?.edited).includes(text))
    // The network delivers it until the gateway, not the phone of its account, sends the receipt.
    await eventually(
      () => world.network<Json[]>('GET', `/phones/${BEN}/receipts?id=${edit.id}`),
      (receipts) => receipts.some(({ fromDevice }) => fromDevice !== 0),
    )
    const last = await world.write(BEN, ANA, `the last, ${at}`)
    await receiver.message(last)
    ids.push(last)
    const updates = uniqueByEvent(receiver.of('messages_update')).filter(
      ({ body }) => body.state === 'Edited' && ((body.event as Json).MessageIDs as unknown[]).includes(id),
    )
    assert.deepEqual(
      updates.map(({ body }) => (body.event as Json).Text),
      [text],
    )
  }
  const all = await find()
  assert.deepEqual(new Set(all.map(({ messageid }) => messageid)), new Set(ids))
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
})
