import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import { embed } from './embeddings.js'

const address = { instance: 'i', provider: 'openai', model: 'text-embedding-3-small', baseUrl: null, apiKey: 'sk-a' }
const call = { address: address as unknown as ModelAddress, signal: new AbortController().signal, deadlineMs: 1e9 }

it('tokens of a search are a whole number for which PostgreSQL has room, whatever the provider counted', async () => {
  const tokensFor = async (prompt_tokens: unknown) => {
    const body = { data: [{ index: 0, embedding: Float32Array.of(1, 0) }], usage: { prompt_tokens } }
    const answer = { status: 200, headers: {}, body }
    const post = async () => answer as never
    return (await embed(post, call, ['a text'], { purpose: 'query', dimensions: 2 })).usage
  }
  assert.deepEqual(await tokensFor(7), { inputTokens: 7, outputTokens: 0, isEstimate: false })
  assert.equal((await tokensFor(2 ** 52)).inputTokens, 10_000_000)
  for (const counted of [1.5, -1, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '7', null, undefined]) {
    const { inputTokens, isEstimate } = await tokensFor(counted)
    assert.ok(isEstimate && Number.isSafeInteger(inputTokens) && inputTokens > 0, String(counted))
  }
})
