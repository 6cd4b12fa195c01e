import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ModelAddress, ModelError } from '../../../schemas/agents/models.js'
import type { AgentRow } from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { createEmbeddings, NoEmbeddings } from './provider-embeddings.js'

const NEVER = new AbortController().signal

type Agent = Pick<
  AgentRow,
  | 'id'
  | 'name'
  | 'provider'
  | 'baseUrl'
  | 'blockedReason'
  | 'embeddingModel'
  | 'embeddingDimensions'
  | 'embeddingError'
  | 'embeddingCode'
>

/** Keys and agents of an instance, and a server that answers as `server` says. */
function setUp(server: (address: ModelAddress, texts: readonly string[], dimensions: number) => number) {
  const instance = 'r1' as InstanceId
  const given = { own: null as string | null, agents: [] as Agent[] }
  const asked: ModelAddress[] = []
  const embeddings = createEmbeddings(
    {
      async embed(address, texts, { dimensions }) {
        asked.push(address)
        const length = server(address, texts, dimensions)
        const vectors = texts.map(() => new Float32Array(length))
        return { vectors, usage: { inputTokens: 1, outputTokens: 0, isEstimate: false } }
      },
    },
    {
      openaiKey: async () => given.own,
      agents: async () => given.agents as AgentRow[],
      agentKey: async (_instance, id) => (id.startsWith('keyless') ? null : `key of ${id}`),
      async noteEmbeddings(_instance, { id }, found) {
        const state =
          'error' in found
            ? { embeddingDimensions: 0, embeddingError: found.error, embeddingCode: found.code }
            : { embeddingDimensions: found.dimensions, embeddingError: '', embeddingCode: '' as const }
        given.agents = given.agents.map((agent) => (agent.id === id ? { ...agent, ...state } : agent))
      },
    },
    { spend: (_planned, call) => call() },
  )
  return { instance, given, asked, embeddings }
}

const agent = (id: string, provider: AgentRow['provider'], more: Partial<Agent> = {}): Agent => ({
  ...{ id, name: id, provider, baseUrl: '', blockedReason: '', embeddingModel: '' },
  ...{ embeddingDimensions: 0, embeddingError: '', embeddingCode: '' as const, ...more },
})

describe('vectors of knowledge', () => {
  it('are made with the key of the instance, else of an OpenAI agent, a Gemini agent, or at a base URL', async () => {
    const { instance, given, asked, embeddings } = setUp((_address, _texts, dimensions) => dimensions || 768)
    const used = async () => {
      const model = await embeddings.find(instance, NEVER)
      if ('none' in model) return model
      await model.embed('document', ['a'], NEVER)
      const { apiKey, baseUrl } = asked.at(-1) as ModelAddress
      return [model.model.split('@')[0], model.dimensions, apiKey, baseUrl]
    }
    given.agents = [agent('a', 'anthropic'), agent('c', 'gemini', { blockedReason: 'no key' })]
    assert.deepEqual([await used(), await embeddings.isPossible(instance)], [{ none: '' }, false])
    const ours = { baseUrl: 'https://models.example/v1', embeddingModel: 'nomic-embed-text' }
    given.agents.push(agent('keyless', 'custom', ours), agent('x', 'deepseek', ours), agent('keyless2', 'openai', ours))
    assert.deepEqual([await embeddings.of(instance), await embeddings.isPossible(instance)], [null, true])
    assert.deepEqual(await used(), ['custom/nomic-embed-text', 768, '', ours.baseUrl])
    assert.equal((await embeddings.of(instance))?.dimensions, 768)
    given.agents.push(agent('d', 'gemini'))
    assert.deepEqual(await used(), ['gemini/gemini-embedding-001', 768, 'key of d', null])
    given.agents.push(agent('e', 'openai'))
    assert.deepEqual(await used(), ['openai/text-embedding-3-small', 512, 'key of e', null])
    given.own = 'sk-own'
    assert.deepEqual(await used(), ['openai/text-embedding-3-small', 512, 'sk-own', null])
  })

  it('are not asked of a server that has none, once it has said so', async () => {
    for (const error of [
      new ModelError('refused', 'No such path. (HTTP 404)', { status: 404 }),
      new ModelError('refused', 'Not allowed. (HTTP 405)', { status: 405 }),
      new ModelError('key', 'Not for this model. (HTTP 403)', { status: 403 }),
      new ModelError('temporary', 'Not implemented. (HTTP 501)', { status: 501 }),
      new ModelError('temporary', 'The answer is not JSON.', { status: 200 }),
    ]) {
      const { instance, given, asked, embeddings } = setUp(() => {
        throw error
      })
      given.agents = [agent('a', 'custom', { baseUrl: 'https://models.example/v1' })]
      const none = { none: `No vectors of text-embedding-3-small by the agent a: ${error.message}` }
      assert.deepEqual(await embeddings.find(instance, NEVER), none)
      assert.deepEqual(await embeddings.find(instance, NEVER), none)
      assert.deepEqual([asked.length, await embeddings.of(instance)], [1, null], error.message)
      assert.equal(await embeddings.isPossible(instance), true)
    }
  })

  it('are asked again of a server that is away, and leave it when it has none any more', async () => {
    let failure: ModelError | undefined = new ModelError('temporary', 'Away.', { status: 503 })
    const { instance, given, asked, embeddings } = setUp((_address, texts) => {
      if (failure !== undefined && (failure.kind !== 'refused' || texts[0] !== 'OK')) throw failure
      return 768
    })
    given.agents = [agent('a', 'openai', { baseUrl: 'https://models.example/v1' })]
    await assert.rejects(embeddings.find(instance, NEVER), /Away/)
    await assert.rejects(embeddings.find(instance, NEVER), /Away/)
    assert.equal(asked.length, 2)
    failure = undefined
    const model = await embeddings.find(instance, NEVER)
    assert.ok('model' in model)
    // It refuses a text, and not all of them.
    failure = new ModelError('refused', 'Bad text.', { status: 400 })
    await assert.rejects(model.embed('document', ['a'], NEVER), (error) => !(error instanceof NoEmbeddings))
    assert.equal(given.agents[0]?.embeddingDimensions, 768)
    failure = new ModelError('key', 'Wrong key.', { status: 401 })
    await assert.rejects(model.embed('document', ['a'], NEVER), NoEmbeddings)
    const [refused] = given.agents
    assert.deepEqual([refused?.embeddingError, refused?.embeddingCode], ['Wrong key.', 'provider_key'])
    assert.equal(await embeddings.of(instance), null)
  })

  it('are made again when a server gives another length, and never of a length that memory has no room for', async () => {
    let length = 768
    const { instance, given, embeddings } = setUp(() => length)
    given.agents = [agent('a', 'custom', { baseUrl: 'https://models.example/v1' })]
    const model = await embeddings.find(instance, NEVER)
    assert.ok('model' in model)
    length = 1_024
    await assert.rejects(model.embed('query', ['a'], NEVER), { kind: 'temporary' })
    const other = await embeddings.find(instance, NEVER)
    assert.equal('model' in other && other.dimensions, 1_024)
    given.agents = [agent('b', 'custom', { baseUrl: 'https://models.example/v1' })]
    length = 4_097
    assert.match(JSON.stringify(await embeddings.find(instance, NEVER)), /4097 numbers; the maximum is 4096/)
  })
})
