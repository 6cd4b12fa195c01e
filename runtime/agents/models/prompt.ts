/** Translates our messages and tools to those of the packages. */
import type {
  JSONValue,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type {
  ModelCall,
  ModelCallResult,
  ModelMessage,
  ModelPart,
  ModelTool,
  Provider,
} from '../../../schemas/agents/models.js'
import { readRaw } from './raw.js'

// Bound: 65,536, 5,000 values, the arguments of a call by a model.

export interface Prompt {
  readonly prompt: LanguageModelV3Prompt
  readonly warnings: readonly string[]
  readonly imageCount: number
}

interface Target {
  readonly provider: Provider
  readonly takesImages: boolean
  /** As `SmallPictures`, for the instance. */
  readonly smallPicture: (bytes: Uint8Array) => Promise<Uint8Array | undefined>
}

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]

const NO_PICTURE = '[image]'

export async function composePrompt(messages: readonly ModelMessage[], target: Target): Promise<Prompt> {
  const prompt: LanguageModelV3Message[] = []
  const warnings = new Set<string>()
  let imageCount = 0
  for (const message of orderly(messages)) {
    if (message.role === 'user') {
      const content: UserPart[] = []
      for (const part of message.parts) content.push(await userPart(part, target, warnings))
      imageCount += content.filter(({ type }) => type === 'file').length
      prompt.push({ role: 'user', content: target.provider === 'deepseek' ? withBlankLines(content) : content })
    } else prompt.push(translated(message, target.provider))
  }
  return { prompt, warnings: [...warnings], imageCount }
}

export function describeTools(tools: readonly ModelTool[]): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters as LanguageModelV3FunctionTool['inputSchema'],
  }))
}

async function userPart(part: ModelPart, target: Target, warnings: Set<string>): Promise<UserPart> {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (!target.takesImages) {
    warnings.add('Pictures are left out: the model takes none.')
    return { type: 'text', text: NO_PICTURE }
  }
  const picture = await target.smallPicture(part.bytes)
  if (picture !== undefined) return { type: 'file', mediaType: 'image/jpeg', data: picture }
  warnings.add('A picture is left out: it cannot be read.')
  return { type: 'text', text: NO_PICTURE }
}

/**
 * Puts a blank line between texts. DeepSeek takes one string where there is no picture, and its package makes it without a separator: the
 * messages of a burst would become one word.
 */
function withBlankLines(content: readonly UserPart[]): UserPart[] {
  return content.map((part, index) =>
    part.type === 'text' && content[index + 1]?.type === 'text' ? { ...part, text: `${part.text}\n\n` } : part,
  )
}

function translated(message: Exclude<ModelMessage, { role: 'user' }>, provider: Provider): LanguageModelV3Message {
  if (message.role === 'system') return { role: 'system', content: message.text }
  if (message.role === 'assistant') return { role: 'assistant', content: assistantParts(message, provider) }
  const content = message.results.map(({ callId, name, text, isError }) => ({
    type: 'tool-result' as const,
    toolCallId: callId,
    toolName: name,
    output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
  }))
  return { role: 'tool', content }
}

/** Gives a provider its own parts back in their order. Their texts and calls are those of the message. */
function assistantParts(
  { text, calls, raw }: Extract<ModelMessage, { role: 'assistant' }>,
  provider: Provider,
): AssistantPart[] {
  const parts: AssistantPart[] = []
  const left = new Map(calls.map((call) => [call.id, call]))
  let isTextGiven = false
  for (const part of readRaw(raw, provider)) {
    const options = part.metadata === undefined ? {} : { providerOptions: part.metadata as SharedV3ProviderOptions }
    if (part.type === 'reasoning') parts.push({ type: 'reasoning', text: part.text, ...options })
    else if (part.type === 'text' && part.text.trim() !== '') {
      parts.push({ type: 'text', text: part.text, ...options })
      isTextGiven = true
    } else if (part.type === 'call') {
      const call = left.get(part.id)
      if (call !== undefined && left.delete(part.id)) parts.push({ ...callPart(call), ...options })
    }
  }
  if (!isTextGiven && text.trim() !== '') parts.push({ type: 'text', text })
  for (const call of left.values()) parts.push(callPart(call))
  return parts
}

function callPart({ id, name, arguments: given }: ModelCall): Extract<AssistantPart, { type: 'tool-call' }> {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parseInput(given) }
}

/** Every provider wants an object. One that the model wrote wrongly stays visible to it. */
function parseInput(given: string): JSONValue {
  try {
    const parsed = JSON.parse(given) as JSONValue
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // Below.
  }
  return { invalid_arguments: given }
}

// Puts a history into an order that every provider takes, since one that is refused is refused in each later turn too.

type Assistant = Extract<ModelMessage, { role: 'assistant' }>

const NOTHING = '(empty)'
const UNKNOWN_OUTCOME = 'The outcome of this call is unknown.'

/**
 * Joins messages of one role, puts all system texts first, leaves out empty texts, gives each call its result and each result its call.
 * A history that opens with an assistant gets a message of the user before it.
 */
function orderly(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  const ordered: ModelMessage[] = []
  for (const message of messages) if (message.role !== 'system') append(ordered, message)
  closeCalls(ordered)
  if (ordered[0]?.role === 'assistant') ordered.unshift({ role: 'user', parts: [{ type: 'text', text: NOTHING }] })
  const text = system.filter((one) => one.trim() !== '').join('\n\n')
  return text === '' ? ordered : [{ role: 'system', text }, ...ordered]
}

function append(ordered: ModelMessage[], message: Exclude<ModelMessage, { role: 'system' }>): void {
  const last = ordered.at(-1)
  if (message.role === 'tool') {
    appendResults(ordered, message.results)
    return
  }
  if (message.role === 'user') {
    closeCalls(ordered)
    const parts = filled(message.parts)
    const before = ordered.at(-1)
    if (before?.role === 'user') ordered[ordered.length - 1] = { role: 'user', parts: [...before.parts, ...parts] }
    else ordered.push({ role: 'user', parts })
    return
  }
  if (message.text.trim() === '' && message.calls.length === 0) return
  closeCalls(ordered)
  if (last?.role === 'assistant' && last.calls.length === 0) ordered[ordered.length - 1] = joined(last, message)
  else ordered.push(message)
}

function filled(parts: readonly ModelPart[]): readonly ModelPart[] {
  const kept = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  return kept.length === 0 ? [{ type: 'text', text: NOTHING }] : kept
}

function joined(first: Assistant, second: Assistant): Assistant {
  return { ...second, text: [first.text, second.text].filter((text) => text.trim() !== '').join('\n\n'), raw: null }
}

/** Keeps results of calls of the message before, each once. */
function appendResults(ordered: ModelMessage[], results: readonly ModelCallResult[]): void {
  const last = ordered.at(-1)
  const earlier = last?.role === 'tool' ? last.results : []
  const asked = last?.role === 'tool' ? ordered.at(-2) : last
  if (asked?.role !== 'assistant') return
  const open = new Set(asked.calls.map(({ id }) => id))
  for (const { callId } of earlier) open.delete(callId)
  const kept = results.filter(({ callId }) => open.delete(callId))
  if (kept.length === 0) return
  const filledResults = kept.map((result) => ({ ...result, text: result.text.trim() === '' ? NOTHING : result.text }))
  if (last?.role === 'tool') ordered[ordered.length - 1] = { role: 'tool', results: [...earlier, ...filledResults] }
  else ordered.push({ role: 'tool', results: filledResults })
}

/** Gives calls without a result one. */
function closeCalls(ordered: ModelMessage[]): void {
  const last = ordered.at(-1)
  const asked = last?.role === 'tool' ? ordered.at(-2) : last
  if (asked?.role !== 'assistant' || asked.calls.length === 0) return
  const known = new Set(last?.role === 'tool' ? last.results.map(({ callId }) => callId) : [])
  const missing = asked.calls
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ callId: id, name, text: UNKNOWN_OUTCOME, isError: true }))
  appendResults(ordered, missing)
}
