/** One question to a model. */
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { type ModelAddress, type ModelAnswer, ModelError, type ModelStep } from '../../../schemas/agents/models.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import { estimateTokens, IMAGE_TOKENS, translateAnswer } from './answer.js'
import { languageModel, type ModelFetch, providerOptions } from './language-models.js'
import type { LearnedRefusals, ModelFeature } from './learned.js'
import type { SmallPictures } from './pictures.js'
import { composePrompt, describeTools } from './prompt.js'
import { answerLimit, claudeSampling, takesImages } from './traits.js'
import { type ask, broken, type ModelExchange, type ModelResponse } from './transport.js'

// Bound: 200, the name of a function.

type Ask = (exchange: ModelExchange, request: Parameters<typeof ask>[2]) => Promise<ModelResponse>
type Body = Record<string, unknown>

/**
 * 32,000 tokens and their reasoning, each character as `\uXXXX`. Texts and arguments are strings; only Gemini has arguments as objects.
 * The package parses the bytes again.
 */
const ANSWER: JsonUse = { bytesMax: 1024 * 1024, valuesMax: 5_000, depthMax: 64 }
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** @throws ModelError, or the signal's reason */
export async function chat(
  post: Ask,
  learned: LearnedRefusals,
  call: Pick<ModelExchange, 'address' | 'signal' | 'deadlineMs'>,
  step: ModelStep,
  pictures: SmallPictures,
): Promise<ModelAnswer> {
  const { address, signal } = call
  const wrongTool = step.tools.find(({ name }) => !NAME.test(name))
  if (wrongTool !== undefined) throw new ModelError('refused', 'A tool has a name that not every provider takes.')
  const refused = learned.of(address)
  const target = {
    provider: address.provider,
    takesImages: takesImages(address) && !refused.has('images'),
    smallPicture: (bytes: Uint8Array) => pictures(address.instance, bytes),
  }
  const { prompt, warnings: ofPrompt, imageCount } = await composePrompt(step.messages, target)
  const warnings = [...ofPrompt]
  if (!prompt.some(({ role }) => role !== 'system')) throw new ModelError('refused', 'There is no message to answer.')
  const settings = chooseSettings(address, step, refused)
  // A conversation with calls needs its tools.
  const isPlain = refused.has('tools') && !step.messages.some(({ role }) => role === 'tool')
  const tools = isPlain ? [] : step.tools
  if (tools.length < step.tools.length) warnings.push('Functions are left out: the model calls none.')
  let answered: ModelResponse | undefined
  let inputEstimate = 0
  const fetch: ModelFetch = async (url, init) => {
    const body = changed(JSON.parse(String(init?.body)) as Body, refused)
    const sent = JSON.stringify(body)
    inputEstimate = estimateStep(step, imageCount)
    const privateTexts = [address.apiKey, ...collectTexts(step)]
    const features = findFeatures(body, imageCount)
    const onRefused: ModelExchange['onRefused'] = ({ param, message }) =>
      learned.learn(address, param, message, features)
    const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>))
    answered = await post({ ...call, privateTexts, onRefused }, { url: String(url), headers, body: sent, json: ANSWER })
    refuseBlocked(answered)
    return new Response(new Uint8Array(answered.bytes), { headers: { 'content-type': 'application/json' } })
  }
  const model = await languageModel(address, fetch)
  const options: LanguageModelV3CallOptions = {
    prompt,
    ...settings.options,
    ...(tools.length === 0 ? {} : { tools: describeTools(tools), toolChoice: { type: step.toolChoice } }),
    maxOutputTokens: answerLimit(address, step.maxTokens),
    abortSignal: signal,
    providerOptions: providerOptions(address, refused.has('safetyId') ? {} : step),
  }
  try {
    const result = await model.doGenerate(options)
    const answer = translateAnswer(address.provider, result, answered?.body, inputEstimate)
    return { ...answer, warnings: [...new Set([...settings.warnings, ...warnings, ...answer.warnings])] }
  } catch (error) {
    throw ours(error, signal, answered !== undefined)
  }
}

/** Errors of the packages hold prompts and answers, so nothing of them goes further. */
function ours(error: unknown, signal: AbortSignal, isAnswered: boolean): unknown {
  if (error instanceof ModelError) return error
  if (signal.aborted) return signal.reason
  if (isAnswered) return broken('The answer does not have the form of this provider.', 200)
  const name = error instanceof Error ? error.name : 'Error'
  return new ModelError('refused', `The messages or tools cannot be sent to this provider (${name}).`)
}

/** Gemini answers a refused prompt without candidates, which its package takes for a broken answer. */
function refuseBlocked({ body, status }: ModelResponse): void {
  const { promptFeedback, candidates, choices } = (body ?? {}) as {
    promptFeedback?: { blockReason?: unknown }
    candidates?: unknown[]
    choices?: unknown[]
  }
  if (promptFeedback?.blockReason !== undefined && (candidates?.length ?? 0) === 0)
    throw new ModelError('blocked', 'The provider refuses the content.', { status, isPerhapsCounted: true })
  if (candidates?.length === 0 || choices?.length === 0) throw broken('The answer is empty.', status)
}

function chooseSettings(
  { provider, model }: ModelAddress,
  step: ModelStep,
  refused: ReadonlySet<ModelFeature>,
): { readonly options: Partial<LanguageModelV3CallOptions>; readonly warnings: readonly string[] } {
  const claude = provider === 'anthropic' ? claudeSampling(model) : undefined
  const penalties = provider !== 'anthropic' && provider !== 'deepseek' && !refused.has('penalties')
  const temperature = claude !== 'none' && !refused.has('temperature') ? step.temperature : undefined
  const hasTopP = claude === undefined || (claude === 'one' && temperature === undefined)
  // 0 means that the field was not set: nothing is likely enough for it.
  const topP = hasTopP && !refused.has('topP') ? step.topP || undefined : undefined
  const frequencyPenalty = penalties ? step.frequencyPenalty || undefined : undefined
  const presencePenalty = penalties ? step.presencePenalty || undefined : undefined
  const wanted = { temperature: step.temperature, topP: step.topP || undefined }
  const sent = { temperature, topP, frequencyPenalty, presencePenalty }
  const all = {
    ...wanted,
    frequencyPenalty: step.frequencyPenalty || undefined,
    presencePenalty: step.presencePenalty || undefined,
  }
  const left = (Object.keys(all) as (keyof typeof all)[]).filter(
    (name) => all[name] !== undefined && sent[name] === undefined,
  )
  return {
    options: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    warnings: left.map((name) => `${name} is left out: the model does not take it.`),
  }
}

function changed(body: Body, refused: ReadonlySet<ModelFeature>): Body {
  if (!refused.has('maxTokens') || body.max_tokens === undefined) return body
  const { max_tokens: limit, ...others } = body
  return { ...others, max_completion_tokens: limit }
}

function findFeatures(body: Body, imageCount: number): ReadonlySet<ModelFeature> {
  const given = { ...body, ...(body.generationConfig as Body | undefined) }
  const has = (...names: readonly string[]) => names.some((name) => given[name] !== undefined)
  const features: (ModelFeature | false)[] = [
    has('temperature') && 'temperature',
    has('top_p', 'topP') && 'topP',
    has('frequency_penalty', 'presence_penalty', 'frequencyPenalty', 'presencePenalty') && 'penalties',
    has('max_tokens') && 'maxTokens',
    imageCount > 0 && 'images',
    has('safety_identifier', 'metadata') && 'safetyId',
    has('tools') && 'tools',
  ]
  return new Set(features.filter((feature) => feature !== false))
}

function collectTexts({ messages }: ModelStep): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    if (message.role === 'tool') return message.results.map(({ text }) => text)
    if (message.role === 'assistant') return [message.text, ...message.calls.map((one) => one.arguments)]
    return [message.text]
  })
}

function estimateStep(step: ModelStep, imageCount: number): number {
  const texts = collectTexts(step).reduce((sum, text) => sum + estimateTokens(text), 0)
  const tools = step.tools.length === 0 ? 0 : estimateTokens(JSON.stringify(step.tools))
  return texts + tools + imageCount * IMAGE_TOKENS
}
