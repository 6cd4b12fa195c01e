import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import type { AgentChecks, AgentRow } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { startFakeNode } from '../../../test/support/fake-node.js'
import { changedAgent } from './fields.js'

const agent = { name: 'Ana', provider: 'openai', model: 'm', apikey: 'sk-0123456789abcdef' }

describe('keys of providers', () => {
  it('are checked before an agent or the settings are stored, and knowledge is found with them', async (t) => {
    const asked: (ModelAddress | string)[] = []
    const agentChecks: AgentChecks = {
      async address() {},
      async model(address) {
        asked.push(address)
        return 'agent.apikey: was stored without a check.'
      },
      async openaiKey(_instance, key) {
        asked.push(key)
        return null
      },
    }
    const node = await startFakeNode(t, {}, { agentChecks })
    const made = await node.call('/agent/edit', { json: { agent } })
    assert.deepEqual([made.status, made.body.warnings], [201, ['agent.apikey: was stored without a check.']])
    const [{ apiKey, baseUrl, model }] = asked as [ModelAddress]
    assert.deepEqual([apiKey, baseUrl, model], [agent.apikey, null, 'm'])
    const order = ['agentChecks.model', 'agents.saveAgent', 'knowledgeKeys.changed']
    assert.deepEqual(
      node.touched.filter((call) => order.includes(call)),
      order,
    )
    node.touched.length = 0
    const path = '/instance/updatechatbotsettings'
    assert.equal((await node.call(path, { json: { openai_apikey: 'sk-another-0123456' } })).status, 200)
    assert.equal(asked[1], 'sk-another-0123456')
    const settings = ['agentChecks.openaiKey', 'agents.saveSettings', 'knowledgeKeys.changed']
    assert.deepEqual(
      node.touched.filter((call) => settings.includes(call)),
      settings,
    )
    // Without a key there is nothing to ask.
    node.touched.length = 0
    assert.equal((await node.call(path, { json: { chatbot_enabled: true } })).status, 200)
    assert.ok(!node.touched.some((call) => call.startsWith('agentChecks.') || call.startsWith('knowledgeKeys.')))
  })

  it('change nothing when the provider refuses them', async (t) => {
    const refuse = async (): Promise<never> => {
      throw invalidField('agent.apikey', 'was refused: no')
    }
    const agentChecks: AgentChecks = { async address() {}, model: refuse, openaiKey: refuse }
    const node = await startFakeNode(t, {}, { agentChecks })
    assert.equal((await node.call('/agent/edit', { json: { agent } })).status, 400)
    const path = '/instance/updatechatbotsettings'
    assert.equal((await node.call(path, { json: { openai_apikey: 'sk-another-0123456' } })).status, 400)
    assert.ok(!node.touched.some((call) => call.startsWith('agents.save') || call.startsWith('knowledgeKeys.')))
  })

  it('are not sent to another address without being given again', () => {
    const stored = { name: 'Ana', provider: 'openai', model: 'm', baseUrl: '', keyMask: 'sk-...cdef' } as AgentRow
    const isRefused = (former: AgentRow | null, given: object, mask = '') =>
      assert.throws(
        () => changedAgent(former, given, mask),
        (error) => error instanceof GatewayError && JSON.stringify(error.details).includes('agent.apikey'),
        JSON.stringify(given),
      )
    for (const given of [{ baseUrl: 'https://evil.example/v1' }, { provider: 'gemini' as const }]) {
      isRefused(stored, given)
      isRefused(stored, { ...given, apikey: stored.keyMask })
      assert.equal(changedAgent(stored, { ...given, apikey: 'sk-0123456789' }, '').key, 'sk-0123456789')
    }
    assert.equal(changedAgent(stored, { baseUrl: ' ', model: 'n' }, '').key, undefined)
    // The key of the instance goes to OpenAI only.
    const own = { name: 'Ana', provider: 'openai' as const, model: 'm', baseUrl: 'https://evil.example/v1' }
    isRefused(null, own, 'sk-...1234')
    isRefused(stored, { apikey: '', baseUrl: own.baseUrl }, 'sk-...1234')
    isRefused({ ...stored, keyMask: '' }, { baseUrl: own.baseUrl }, 'sk-...1234')
    changedAgent(null, { ...own, baseUrl: '' }, 'sk-...1234')
    // An agent of a server without a key, which becomes one of OpenAI.
    const keyless = { ...stored, provider: 'custom', baseUrl: own.baseUrl, keyMask: '' } as AgentRow
    isRefused(keyless, { provider: 'openai' }, 'sk-...1234')
    changedAgent({ ...keyless, provider: 'openai' }, { model: 'n' }, 'sk-...1234')
  })
})
