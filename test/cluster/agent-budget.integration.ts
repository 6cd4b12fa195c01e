import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const ANA = '15550760001'
const PERSON = '15550760002'
const WITHIN_MS = 60_000

describe('the budget of a day in a cluster', () => {
  const cleanup = suiteCleanup()
  let cluster: Cluster
  let providers: FakeProviders
  let receiver: Receiver
  let ana: TestInstance
  /** The node that does not own the instance. */
  let other: ClusterNode
  let agentId = ''

  before(async () => {
    providers = await startProviders()
    cleanup.after(() => providers.close())
    receiver = await startReceiver(cleanup)
    cluster = await startCluster(cleanup, { nodes: 2 })
    ana = await cluster.paired(ANA, 'Ana')
    await cluster.phone(PERSON, 'Ben')
    const logins = await cluster.network<{ node: string | null }[]>('GET', '/log/logins')
    const owner = logins.findLast(({ node }) => node !== null)?.node
    other = cluster.nodes.find(({ name }) => name !== owner) as ClusterNode
    assert.ok(owner !== undefined && other.name !== owner)
    await ana.hook(receiver.url, { events: ['agents'] })
    const agent = {
      name: 'Bot',
      provider: 'custom',
      model: 'qwen3:8b',
      apikey: '',
      baseUrl: providers.baseUrl('custom'),
    }
    const made = await onOther('/agent/edit', { agent: { ...agent, inputPrice: 10, outputPrice: 10 } })
    agentId = String(made.id)
    await onOther('/trigger/edit', { trigger: { type: 'agent', agent_id: agentId, responseDelay_seconds: 0 } })
    await onOther('/instance/updatechatbotsettings', { chatbot_enabled: true, chatbot_costPerDay: 1 })
  })

  const onOther = async (path: string, body: Json): Promise<Json> => {
    const answer = await other.call<Json>('POST', path, { token: ana.token, body })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const spend = async (input: number) => {
    providers.answer({ text: 'Tried.', usage: { input, output: 0 } })
    const trial = await onOther('/agent/test', { agent_id: agentId, messages: [{ role: 'user', text: 'Hello?' }] })
    assert.deepEqual([trial.reply, trial.error], ['Tried.', ''])
  }
  const percents = () =>
    receiver
      .of('agents')
      .map(({ body }) => body.event as Json)
      .filter(({ Action: action }) => action === 'budget')
      .map(({ Percent: percent }) => percent)
  const reasons = async () => {
    const path = `/agent/turns?chatid=${PERSON}`
    const { body } = await other.call<{ turns: Json[] }>('GET', path, { token: ana.token })
    return body.turns.map(({ state, reason }) => `${String(state)} ${String(reason)}`)
  }

  it('is told by the owner of an instance when another node spends it, and ends the answers of the owner', async () => {
    // 82,000 tokens at 10 for a million are 0.82 of 1.
    await spend(82_000)
    await eventually(percents, (told) => told.length > 0, WITHIN_MS)
    await spend(20_000)
    await eventually(percents, (told) => told.length > 1, WITHIN_MS)
    assert.deepEqual(percents(), [80, 100])
    providers.clear()
    await cluster.write(PERSON, ANA, 'Is anybody there?')
    await eventually(reasons, (all) => all[0]?.endsWith('budget_money') === true, WITHIN_MS)
    assert.equal(providers.calls.length, 0)
  })

  it('lets the owner of an instance answer again when another node raises it', async () => {
    await onOther('/instance/updatechatbotsettings', { chatbot_costPerDay: 10 })
    providers.answer({ text: 'We are back.' })
    await cluster.write(PERSON, ANA, 'And now?')
    const shown = () => cluster.network<{ text: string }[]>('GET', `/phones/${PERSON}/messages?own=false`)
    await eventually(shown, (all) => all.some(({ text }) => text === 'We are back.'), WITHIN_MS)
    await eventually(reasons, (all) => all[0]?.startsWith('done') === true, WITHIN_MS)
    assert.deepEqual(percents(), [80, 100])
  })
})
