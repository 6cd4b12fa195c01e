import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import type { AgentRow } from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { createEmbeddings } from './provider-embeddings.js'

it('vectors are made with the key of the instance, else of an OpenAI agent, else of a Gemini agent', async () => {
  const instance = 'r1' as InstanceId
  let own: string | null = null
  let agents: Pick<AgentRow, 'id' | 'provider' | 'baseUrl' | 'blockedReason'>[] = []
  const asked: ModelAddress[] = []
  const embeddings = createEmbeddings(
    {
      async embed(address, texts, { dimensions }) {
        asked.push(address)
        const vectors = texts.map(() => new Float32Array(dimensions))
        return { vectors, usage: { inputTokens: 1, outputTokens: 0, isEstimate: false } }
      },
    },
    {
      openaiKey: async () => own,
      agents: async () => agents as AgentRow[],
      agentKey: async (_instance, id) => `key of ${id}`,
    },
    { spend: (_planned, call) => call() },
  )
  const used = async () => {
    const model = await embeddings.of(instance)
    await model?.embed('document', ['a'], new AbortController().signal)
    return model === null ? null : [model.model, model.dimensions, asked.at(-1)?.apiKey]
  }
  const agent = (id: string, provider: AgentRow['provider'], baseUrl = '', blockedReason = '') => ({
    id,
    provider,
    baseUrl,
    blockedReason,
  })
  agents = [agent('a', 'anthropic'), agent('b', 'openai', 'https://other.example'), agent('c', 'gemini', '', 'no key')]
  assert.equal(await used(), null)
  agents.push(agent('d', 'gemini'))
  assert.deepEqual(await used(), ['gemini/gemini-embedding-001', 768, 'key of d'])
  agents.push(agent('e', 'openai'))
  assert.deepEqual(await used(), ['openai/text-embedding-3-small', 512, 'key of e'])
  own = 'sk-own'
  assert.deepEqual(await used(), ['openai/text-embedding-3-small', 512, 'sk-own'])
})
