/** Vectors of texts. Both formats are small, so no package is needed. */
import { type ModelAddress, ModelError, type ModelUsage } from '../../../schemas/agents/models.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import { estimateTokens, TOKENS_MAX } from './answer.js'
import { ERROR_KEPT } from './error-facts.js'
import { findBaseUrl } from './language-models.js'
import { broken, type ModelExchange, type ModelRequest, type ModelResponse } from './transport.js'

// Bound: 2,048, texts of a request for vectors.

export interface EmbeddedTexts {
  readonly vectors: readonly Float32Array[]
  readonly usage: ModelUsage
}

/** Gemini takes 100 texts a call, the others more. */
const TEXTS_MAX = 100
const DIMENSIONS_MAX = 16_384
/** 100 vectors of 3,072 numbers each, or fewer of more. */
const ANSWER: JsonUse = {
  bytesMax: 8 * 1024 * 1024,
  valuesMax: 400_000,
  depthMax: 8,
  keep: {
    ...ERROR_KEPT,
    data: [{ index: true, embedding: 'vector' }],
    embeddings: [{ values: 'vector' }],
    usage: { prompt_tokens: true },
  },
}

/** @throws ModelError, or the signal's reason */
export async function embed(
  post: (exchange: ModelExchange, request: ModelRequest) => Promise<ModelResponse>,
  call: Pick<ModelExchange, 'address' | 'signal' | 'deadlineMs'>,
  texts: readonly string[],
  options: { readonly purpose: 'query' | 'document'; readonly dimensions: number },
): Promise<EmbeddedTexts> {
  const { address } = call
  if (address.provider === 'anthropic' || address.provider === 'deepseek')
    throw new ModelError('refused', `The provider ${address.provider} has no embeddings.`)
  if (texts.length > TEXTS_MAX || texts.some((text) => text.trim() === ''))
    throw new ModelError('refused', `At most ${TEXTS_MAX} texts become vectors in one call, and none may be empty.`)
  if (texts.length === 0) return { vectors: [], usage: { inputTokens: 0, outputTokens: 0, isEstimate: false } }
  const isGemini = address.provider === 'gemini'
  const request = isGemini ? geminiRequest(address, texts, options) : openAiRequest(address, texts, options.dimensions)
  const { body } = await post({ ...call, privateTexts: [address.apiKey, ...texts] }, request)
  const vectors = (isGemini ? geminiVectors(body) : openAiVectors(body)).map(normalised)
  const [first] = vectors
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== first?.length))
    throw broken('The answer does not have a vector of the same length for each text.', 200)
  const counted = (body as { usage?: { prompt_tokens?: unknown } } | null)?.usage?.prompt_tokens
  const isCounted = Number.isSafeInteger(counted) && (counted as number) >= 0
  const inputTokens = isCounted
    ? Math.min(counted as number, TOKENS_MAX)
    : texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  return { vectors, usage: { inputTokens, outputTokens: 0, isEstimate: !isCounted } }
}

function openAiRequest(address: ModelAddress, input: readonly string[], dimensions: number): ModelRequest {
  const { provider, model, apiKey } = address
  // Other models and servers refuse `dimensions`, or ignore it.
  const canShorten = provider === 'openai' && dimensions > 0 && model.startsWith('text-embedding-3')
  return {
    url: `${findBaseUrl(address)}/embeddings`,
    headers: { 'content-type': 'application/json', ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }) },
    json: ANSWER,
    body: JSON.stringify({ model, input, encoding_format: 'float', ...(canShorten ? { dimensions } : {}) }),
  }
}

function geminiRequest(
  address: ModelAddress,
  texts: readonly string[],
  { purpose, dimensions }: { readonly purpose: 'query' | 'document'; readonly dimensions: number },
): ModelRequest {
  const model = `models/${address.model}`
  const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
  const requests = texts.map((text) => ({
    model,
    content: { role: 'user', parts: [{ text }] },
    taskType,
    outputDimensionality: dimensions,
  }))
  return {
    url: `${findBaseUrl(address)}/${model}:batchEmbedContents`,
    headers: { 'content-type': 'application/json', 'x-goog-api-key': address.apiKey },
    body: JSON.stringify({ requests }),
    json: ANSWER,
  }
}

function openAiVectors(body: unknown): readonly unknown[] {
  const { data } = (body ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return []
  if (data.length > TEXTS_MAX) throw broken('The answer has too many vectors.', 200)
  const ordered = [...(data as { index?: number; embedding?: unknown }[])]
  ordered.sort((a, b) => (a?.index ?? 0) - (b?.index ?? 0))
  return ordered.map((one) => one?.embedding)
}

function geminiVectors(body: unknown): readonly unknown[] {
  const { embeddings } = (body ?? {}) as { embeddings?: unknown }
  return Array.isArray(embeddings) ? embeddings.map((one: { values?: unknown } | null) => one?.values) : []
}

/** Shortened vectors of Gemini are not normalised. @throws ModelError when it is no vector */
function normalised(values: unknown): Float32Array {
  if (!(values instanceof Float32Array) || values.length === 0 || values.length > DIMENSIONS_MAX)
    throw broken('The answer has something that is not a vector.', 200)
  const vector = values
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (length === 0 || !Number.isFinite(length)) throw broken('The answer has a vector without a direction.', 200)
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) / length
  return vector
}
