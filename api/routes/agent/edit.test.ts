import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import type { AgentChecks } from '../../../schemas/agents/records.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

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
})
