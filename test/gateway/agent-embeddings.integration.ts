import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

/** Knowledge of more than the 4,000 tokens that are given as a whole. */
const FILLER = 'It is a long text about nothing in particular. '.repeat(400)

describe('knowledge of an agent with a baseUrl', () => {
  let providers: FakeProviders
  const { world, cleanup } = gatewaySuite({
    prepare: async () => {
      providers = await startProviders()
      cleanup.after(() => providers.close())
    },
  })

  const asked = () => providers.calls.filter(({ operation }) => operation === 'embeddings')
  const teach = async (instance: TestInstance, tittle: string, content: string) => {
    const made = await instance.call<Json>('POST', '/knowledge/edit', { knowledge: { tittle, content } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body.id
  }
  const entry = async (instance: TestInstance, id: unknown) =>
    (await instance.call<Json[]>('GET', '/knowledge/list')).body.find((one) => one.id === id) ?? {}
  const becomes = (instance: TestInstance, id: unknown, state: string) =>
    eventually(
      () => entry(instance, id),
      ({ vectorStatus }) => vectorStatus === state,
    )
  const isByMeaning = async (instance: TestInstance) =>
    (await instance.done<Json>('/knowledge/search', { query: 'when is it open?' })).byMeaning
  const createAgent = async (instance: TestInstance, fields: Json, id?: unknown) => {
    const made = await instance.call<Json>('POST', '/agent/edit', {
      ...(id === undefined ? {} : { id }),
      agent: fields,
    })
    assert.ok(made.status === 201 || made.status === 200, JSON.stringify(made.body))
    return made.body
  }
  const ollama = () => ({ name: 'Bot', provider: 'custom', model: 'qwen3:8b', baseUrl: providers.baseUrl('custom') })

  it('is found by meaning, with the vectors of that server and the key of that agent', async () => {
    const shop = await world.instance('shop')
    providers.clear()
    const key = 'sk-openai-key-of-the-shop'
    const proxy = { name: 'Ana', provider: 'openai', model: 'gpt-4o-mini', baseUrl: providers.baseUrl('openai') }
    await createAgent(shop, { ...proxy, apikey: key })
    const id = await teach(shop, 'Hours', `Open from 8 to 5. ${FILLER}`)
    const { isVectorized, vectorError } = await becomes(shop, id, 'vectorized')
    assert.deepEqual([isVectorized, vectorError], [true, undefined])
    assert.ok(asked().length >= 2)
    for (const { model, key: used, body } of asked())
      assert.deepEqual([model, used, body.dimensions], ['text-embedding-3-small', key, undefined])
    assert.equal(await isByMeaning(shop), true)
    assert.deepEqual(asked().at(-1)?.body.input, ['when is it open?'])
  })

  it('stays indexed if that server has no embeddings, which is asked once, said, and asked again after an edit', async () => {
    const shop = await world.instance('shop without')
    providers.clear()
    const { id: agent, embeddingError: first } = await createAgent(shop, ollama())
    assert.equal(first, '')
    const id = await teach(shop, 'Hours', `Open from 8 to 5. ${FILLER}`)
    const { vectorError, vectorCode, isVectorized } = await becomes(shop, id, 'indexed')
    assert.match(String(vectorError), /^No vectors of text-embedding-3-small by the agent Bot: .*not found/)
    assert.deepEqual([isVectorized, vectorCode], [false, 'no_embeddings'])
    const other = await teach(shop, 'Prices', 'Bread costs 2.')
    assert.match(String((await becomes(shop, other, 'indexed')).vectorError), /^No vectors of/)
    assert.equal(await isByMeaning(shop), false)
    assert.equal(asked().length, 1)
    const [listed] = (await shop.call<Json[]>('GET', '/agent/list')).body
    assert.match(String(listed?.embeddingError), /not found/)
    assert.equal(listed?.embeddingCode, 'provider_refused')
    // The server has one by another name.
    const edited = await createAgent(shop, { embeddingModel: 'nomic-embed-text' }, agent)
    assert.deepEqual([edited.embeddingModel, edited.embeddingError, edited.embeddingCode], ['nomic-embed-text', '', ''])
    await becomes(shop, id, 'vectorized')
    await becomes(shop, other, 'vectorized')
    assert.equal((await entry(shop, id)).vectorError, undefined)
    assert.equal(await isByMeaning(shop), true)
    const calls = asked().length
    await createAgent(shop, { basePrompt: 'Be kind.' }, agent)
    assert.equal(await isByMeaning(shop), true)
    assert.equal(asked().length, calls + 1, 'only the question was asked')
  })

  it('is vectorized later if that server is away, whose failures do not stop answers', async () => {
    const shop = await world.instance('shop away')
    const { id: agent } = await createAgent(shop, { ...ollama(), embeddingModel: 'bge-embed' })
    providers.clear()
    const away = { kind: 'status', status: 503, body: { error: { message: 'loading' } } } as const
    providers.next({ fault: away, operation: 'embeddings', times: 6 })
    const ids = []
    for (let number = 0; number < 6; number += 1) ids.push(await teach(shop, `Entry ${number}`, 'Bread costs 2.'))
    for (const id of ids) assert.match(String((await becomes(shop, id, 'error')).vectorError), /No vectors: /)
    const messages = [{ role: 'user', text: 'Hello' }]
    const trial = await shop.done<Json>('/agent/test', { agent_id: agent, messages })
    assert.deepEqual([trial.reply, trial.error], ['You said: Hello', ''])
    providers.clear()
    // An edit of the key has it asked at once. The breaker of the old key does not count for the new one.
    await createAgent(shop, { apikey: 'another-key' }, agent)
    for (const id of ids) await becomes(shop, id, 'vectorized')
  })
})
