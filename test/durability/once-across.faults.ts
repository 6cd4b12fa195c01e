import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startProviders } from '../../sandbox/providers/index.js'
import { eventually } from '../support/eventually.js'
import { startLossyCluster } from './lossy-cluster.js'

type Json = Record<string, unknown>

interface Shown {
  readonly id: string
  readonly text: string
  readonly arrivals: number
}

const PEOPLE = Array.from({ length: 10 }, (_, index) => `155521300${String(10 + index)}`)
const ZOE = '15552130001'
/** Asks an agent. */
const BEN = '15552130002'
const KEYED = 5
for (const nodes of [1, 2])
  it(`a campaign, keyed and scheduled sends and an answer of an agent reach each phone once although a failover lost their commits (${nodes} nodes)`, async (t) => {
    const world = await startLossyCluster(t, nodes)
    const ana = await world.paired('15552130000', 'Ana')
    for (const person of [ZOE, BEN, ...PEOPLE]) await world.phone(person)
    const providers = await startProviders()
    t.after(() => providers.close())
    const shown = (phone: string) => world.network<Shown[]>('GET', `/phones/${phone}/messages?own=false`)
    const shownToAll = async () => (await Promise.all(PEOPLE.map(shown))).flat()
    const keyed = (index: number) =>
      ana.call<Json>(
        'POST',
        '/send/text',
        { number: ZOE, text: `keyed ${index}` },
        { 'idempotency-key': `order-${index}` },
      )
    await ana.text(ZOE, 'before')

    const sendAt = new Date(Date.now() + 6_000).toISOString()
    for (let index = 0; index < 3; index += 1) await ana.text(ZOE, `scheduled ${index}`, { send_at: sendAt })
    const campaign = await ana.done<{ folder_id: string }>('/sender/simple', {
      numbers: PEOPLE,
      type: 'text',
      text: 'offer',
      delayMin: 1,
      delayMax: 1,
    })
    const agent = {
      name: 'Bot',
      provider: 'custom',
      model: 'qwen3:8b',
      apikey: '',
      baseUrl: providers.baseUrl('custom'),
    }
    const made = await ana.call<{ id: string }>('POST', '/agent/edit', { agent })
    const trigger = { type: 'agent', agent_id: made.body.id, responseDelay_seconds: 6 }
    await ana.call('POST', '/trigger/edit', { trigger })
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    // The model says it differently the second time.
    for (const text of ['Yes, until six.', 'We are open.']) providers.answer({ text })
    await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text: 'Are you open?' })
    await eventually(async () => (await ana.messages({ chatid: BEN, limit: 5 })).length > 0)
    await world.beginLosing()

    // From here on everything is lost, but the phones have it.
    const ids: unknown[] = []
    for (let index = 0; index < KEYED; index += 1) {
      const { status, body } = await keyed(index)
      assert.equal(status, 200, JSON.stringify(body))
      ids.push(body.messageid)
    }
    await eventually(shownToAll, (all) => all.length >= 5)
    await eventually(
      () => shown(ZOE),
      (all) => all.filter(({ text }) => text.startsWith('scheduled')).length === 3,
    )
    const [answer] = await eventually(
      () => shown(BEN),
      (all) => all.length > 0,
    )
    const reachedBefore = new Set((await shownToAll()).map(({ id }) => id))
    await world.failOver()

    await eventually(async () => (await ana.messages({ limit: 1 })).length > 0)
    await ana.connected()
    for (const [index, id] of ids.entries()) {
      const answer = await eventually(
        () => keyed(index),
        ({ status }) => status === 200,
      )
      assert.equal(answer.body.messageid, id)
    }
    const folder = async () => (await ana.call<Json>('GET', `/sender/folder?id=${campaign.folder_id}`)).body
    const ended = await eventually(folder, ({ status }) => status === 'done', 60_000)
    assert.equal(ended.log_sucess, PEOPLE.length)
    const again = await eventually(
      () => shown(BEN),
      (all) => all.some(({ arrivals }) => arrivals > 1),
    )
    assert.deepEqual(
      again.map(({ id, text }) => [id, text]),
      [[answer?.id, 'Yes, until six.']],
    )
    await ana.text(ZOE, 'after')

    const atZoe = await eventually(
      () => shown(ZOE),
      (all) => all.some(({ text }) => text === 'after') && all.filter(({ arrivals }) => arrivals > 1).length >= KEYED,
    )
    const count = (text: string) => atZoe.filter((one) => one.text === text).length
    const wanted = [...ids.map((_, index) => `keyed ${index}`), ...[0, 1, 2].map((index) => `scheduled ${index}`)]
    assert.deepEqual(
      wanted.map((text) => [text, count(text)]),
      wanted.map((text) => [text, 1]),
    )
    for (const person of PEOPLE) assert.equal((await shown(person)).length, 1, person)
    // They were sent again under the ids that the phones knew: otherwise the test would show nothing.
    const sentAgain = (await shownToAll()).filter(({ id, arrivals }) => arrivals > 1 && reachedBefore.has(id))
    assert.ok(sentAgain.length > 0, 'no message of the campaign was sent again')
  })
