import { createHash } from 'node:crypto'
import { geminiError, openAiError, Refusal } from './refusal.js'
import type { ProviderCall } from './script.js'
import { countTokens, isObject, type Json, readList, readText } from './values.js'

const OPENAI_INPUTS_MAX = 2048
const GEMINI_INPUTS_MAX = 100
const TOKENS_MAX = 8192

/** `POST /embeddings`. @throws Refusal */
export function openAiEmbeddings({ model, provider }: ProviderCall, body: Json): Json {
  const inputs = typeof body.input === 'string' ? [body.input] : Array.isArray(body.input) ? body.input : []
  if (provider === 'openai' && !model.startsWith('text-embedding-'))
    throw new Refusal(403, openAiError('You are not allowed to generate embeddings from this model', {}))
  // As Ollama, which has the models that somebody pulled.
  if (provider === 'custom' && model.startsWith('text-embedding-'))
    throw new Refusal(404, openAiError(`model "${model}" not found, try pulling it first`, { type: 'not_found_error' }))
  if (provider === 'custom' && !model.includes('embed'))
    throw new Refusal(400, openAiError('this model does not support embeddings', { type: 'api_error' }))
  if (inputs.length === 0 || inputs.length > OPENAI_INPUTS_MAX)
    refuse(`Invalid 'input': expected an array with 1 to ${OPENAI_INPUTS_MAX} elements.`, 'input')
  for (const [index, input] of inputs.entries()) {
    if (readText(input) === '') refuse(`Invalid 'input[${index}]': input cannot be an empty string.`, 'input')
    if (countTokens(input) > TOKENS_MAX)
      refuse(
        `This model's maximum context length is ${TOKENS_MAX} tokens, however you requested ${countTokens(input)} tokens.`,
        'input',
      )
  }
  const full = model.includes('large') ? 3072 : provider === 'custom' ? 768 : 1536
  const dimensions = body.dimensions ?? full
  if (body.dimensions !== undefined && !model.startsWith('text-embedding-3') && provider === 'openai')
    refuse('This model does not support specifying dimensions.', 'dimensions')
  if (typeof dimensions !== 'number' || dimensions < 1 || dimensions > full)
    refuse(`Invalid value for 'dimensions' = ${dimensions}. Must be less than or equal to ${full}.`, 'dimensions')
  const used = countTokens(inputs.join(''))
  return {
    object: 'list',
    data: inputs.map((input, index) => ({
      object: 'embedding',
      index,
      embedding: createVector(readText(input), dimensions),
    })),
    model,
    usage: { prompt_tokens: used, total_tokens: used },
  }
}

/** `:batchEmbedContents`, and `:embedContent` for one text. @throws Refusal */
export function geminiEmbeddings(body: Json, isBatch: boolean): Json {
  const requests = isBatch ? readList(body.requests) : [body]
  if (requests.length === 0 || requests.length > GEMINI_INPUTS_MAX)
    refuseGemini(`* BatchEmbedContentsRequest.requests: at most ${GEMINI_INPUTS_MAX} requests can be in one batch\n`)
  const embeddings = requests.map(({ content, taskType, outputDimensionality: dimensions = 3072 }) => {
    if (taskType !== 'RETRIEVAL_QUERY' && taskType !== 'RETRIEVAL_DOCUMENT' && taskType !== undefined)
      refuseGemini(`Invalid value at 'requests[0].task_type': "${taskType}"`)
    const parts = isObject(content) ? readList(content.parts) : []
    const text = parts.map((part) => readText(part.text)).join('\n')
    if (text === '') refuseGemini('* EmbedContentRequest.content: content is empty\n')
    // Only the full length is normalised.
    const scale = dimensions === 3072 ? 1 : 0.7
    return { values: createVector(text, Number(dimensions)).map((value) => value * scale) }
  })
  return isBatch ? { embeddings } : { embedding: embeddings[0] }
}

/** Returns a vector that is near to those of texts with the same words, whatever their case and accents. */
function createVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ['nothing']
  for (const word of words) {
    const hash = createHash('sha256').update(word).digest()
    for (let index = 0; index < 8; index += 1) {
      const place = hash.readUInt16BE(index * 2) % dimensions
      vector[place] = (vector[place] ?? 0) + ((hash[index + 16] ?? 0) % 2 === 0 ? 1 : -1)
    }
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function refuse(message: string, param: string): never {
  throw new Refusal(400, openAiError(message, { param }))
}

function refuseGemini(message: string): never {
  throw new Refusal(400, geminiError(400, 'INVALID_ARGUMENT', message))
}
