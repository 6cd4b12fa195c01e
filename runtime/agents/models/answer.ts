/** Reads the answer of a package. */
import { randomUUID } from 'node:crypto'
import type { LanguageModelV3GenerateResult, SharedV3Warning } from '@ai-sdk/provider'
import type { ModelAnswer, ModelCall, ModelUsage, Provider } from '../../../schemas/agents/models.js'
import { makeRaw, type RawPart } from './raw.js'
import { broken } from './transport.js'

/** Characters of a token, for Portuguese, Spanish and English. */
const TOKEN_CHARACTERS = 3.5
export const IMAGE_TOKENS = 1_000
/** No model reads or writes more at once. A server of a tenant may count anything. */
export const TOKENS_MAX = 10_000_000
/** Below it a server has hardly read the whole prompt. */
const CUT_SHARE = 0.5
const CUT_FROM_TOKENS = 2_000

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / TOKEN_CHARACTERS)
}

/**
 * @param body The provider's answer, for what the package leaves out.
 * @throws ModelError temporary, when there is nothing in it
 */
export function translateAnswer(
  provider: Provider,
  { content, finishReason, usage, warnings }: LanguageModelV3GenerateResult,
  body: unknown,
  inputEstimate: number,
): ModelAnswer {
  const calls: ModelCall[] = []
  const parts: RawPart[] = []
  let text = ''
  for (const part of content) {
    const metadata =
      part.type !== 'source' && part.providerMetadata !== undefined ? { metadata: part.providerMetadata } : {}
    if (part.type === 'text') {
      text += part.text
      parts.push({ type: 'text', text: part.text, ...metadata })
    } else if (part.type === 'reasoning') parts.push({ type: 'reasoning', text: part.text, ...metadata })
    else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      const id = callId(part.toolCallId, calls)
      calls.push({ id, name: part.toolName, arguments: part.input })
      parts.push({ type: 'call', id, ...metadata })
    }
  }
  const finish = isRefusal(body) ? 'blocked' : translateFinish(finishReason.unified, calls.length > 0)
  if (finish === 'failed' && text === '' && calls.length === 0)
    throw broken(`The model gave no answer (${finishReason.raw ?? 'no reason'}).`, 200)
  const counted = addUsage(usage, text, calls, inputEstimate)
  return {
    text,
    calls,
    finish: finish === 'failed' ? 'other' : finish,
    usage: counted,
    warnings: [...warnings.map(sentence), ...cutWarning(provider, counted, inputEstimate)],
    raw: makeRaw(provider, parts),
  }
}

/** Returns the id of a call, or makes one where a server gave none, or the one of another call: a result belongs to one call. */
function callId(given: string, calls: readonly ModelCall[]): string {
  return given.trim() === '' || calls.some(({ id }) => id === given) ? `call_${randomUUID()}` : given
}

function translateFinish(unified: LanguageModelV3GenerateResult['finishReason']['unified'], hasCalls: boolean) {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'blocked'
  if (unified === 'error') return 'failed'
  // Gemini ends with STOP in either case.
  if (hasCalls) return 'calls'
  return unified === 'stop' ? 'stop' : 'other'
}

/** OpenAI refuses in a field of its own. */
function isRefusal(body: unknown): boolean {
  const { choices } = (body ?? {}) as { choices?: { message?: { refusal?: unknown } }[] }
  const refusal = Array.isArray(choices) ? choices[0]?.message?.refusal : undefined
  return typeof refusal === 'string' && refusal !== ''
}

function addUsage(
  { inputTokens, outputTokens }: LanguageModelV3GenerateResult['usage'],
  text: string,
  calls: readonly ModelCall[],
  inputEstimate: number,
): ModelUsage {
  const input = plausible(inputTokens.total)
  const output = plausible(outputTokens.total)
  const written = calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length)
  return {
    inputTokens: input ?? inputEstimate,
    outputTokens: output ?? Math.ceil(written / TOKEN_CHARACTERS),
    isEstimate: input === undefined || output === undefined,
  }
}

function plausible(count: number | undefined): number | undefined {
  return count === undefined || !(count >= 0) ? undefined : Math.min(Math.round(count), TOKENS_MAX)
}

/** Ollama cuts long prompts without a word, the instructions first. */
function cutWarning(provider: Provider, { inputTokens, isEstimate }: ModelUsage, estimate: number): string[] {
  if (provider !== 'custom' || isEstimate || estimate < CUT_FROM_TOKENS || inputTokens > estimate * CUT_SHARE) return []
  return [
    `The server counted ${inputTokens} tokens where about ${estimate} were sent: its context may be too short, so that it cuts the instructions.`,
  ]
}

function sentence(warning: SharedV3Warning): string {
  if (warning.type === 'other') return warning.message
  const { feature, details } = warning
  return details === undefined ? `${feature} is left out: the model does not support it.` : `${feature}: ${details}`
}
