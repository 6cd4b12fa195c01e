/** Translates our messages and tools to those of the packages. */
import type {
  JSONValue,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelCall, ModelMessage, ModelPart, ModelTool, Provider } from '../../../schemas/agents/models.js'
import { orderly } from './history.js'
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

export async function promptOf(messages: readonly ModelMessage[], target: Target): Promise<Prompt> {
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

export function toolsOf(tools: readonly ModelTool[]): LanguageModelV3FunctionTool[] {
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
  return { type: 'tool-call', toolCallId: id, toolName: name, input: inputOf(given) }
}

/** Every provider wants an object. One that the model wrote wrongly stays visible to it. */
function inputOf(given: string): JSONValue {
  try {
    const parsed = JSON.parse(given) as JSONValue
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // Below.
  }
  return { invalid_arguments: given }
}
