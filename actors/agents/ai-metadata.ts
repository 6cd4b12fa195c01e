import { maskedArguments } from '../../schemas/agents/masked-arguments.js'
import type { ModelMessage, ModelStep, ModelTool } from '../../schemas/agents/models.js'
import type { ToolResult } from '../../schemas/agents/tools.js'
import type { StepRecord } from '../../schemas/agents/turns.js'

/** Maximum of bytes of the JSON that a message keeps. */
const BYTES_MAX = 64 * 1024
/** Characters that stay of a long text, if there is not enough room for all. */
const TEXT_KEPT = 500
const TOOLS_MAX = 100

export interface MetadataParts {
  readonly agentId: string
  readonly model: string
  readonly step: ModelStep
  readonly answer: StepRecord
  /** Of all calls of the turn. */
  readonly results: readonly ToolResult[]
}

/** Returns what a message of an agent was made of, as JSON: without keys, files and arguments that are named like secrets, and bounded. */
export function describeStep({ agentId, model, step, answer, results }: MetadataParts): string {
  const { temperature, topP, frequencyPenalty, presencePenalty, maxTokens } = step
  const scales = { temperature, topP, frequencyPenalty, presencePenalty }
  const given = Object.fromEntries(Object.entries(scales).filter(([, value]) => value !== undefined))
  const request = {
    messages: step.messages.map(toTracedMessage),
    tools: step.tools.slice(0, TOOLS_MAX).map(toTool),
    options: { model, maxTokens, ...given },
  }
  const toolResults = results.map(({ text, isError, record }) => ({ ...record, isError, result: text }))
  const response = { choices: [toChoice(answer)], toolResults, error: '' }
  return bounded({ agent_id: agentId, request, response })
}

type Metadata = {
  readonly agent_id: string
  readonly request: {
    readonly messages: readonly unknown[]
    readonly tools: readonly unknown[]
    readonly options: object
  }
  readonly response: {
    readonly choices: readonly unknown[]
    readonly toolResults: readonly unknown[]
    readonly error: string
  }
}

/** Shortens long texts, then removes tools and the oldest messages, until the JSON is short enough. */
function bounded(metadata: Metadata): string {
  const whole = JSON.stringify(metadata)
  if (Buffer.byteLength(whole) <= BYTES_MAX) return whole
  const short = shortened(metadata) as Metadata
  let { messages, tools } = short.request
  for (;;) {
    const text = JSON.stringify({ ...short, request: { ...short.request, messages, tools } })
    if (Buffer.byteLength(text) <= BYTES_MAX) return text
    if (tools.length > 0) tools = []
    else if (messages.length > 0) messages = messages.slice(Math.ceil(messages.length / 4))
    else
      return JSON.stringify({
        agent_id: short.agent_id,
        request: { messages: [], tools: [], options: {} },
        response: { choices: [], toolResults: [], error: '' },
      })
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_KEPT ? `${value.slice(0, TEXT_KEPT)}…` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

function toTracedMessage(message: ModelMessage): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return {
        role: 'user',
        content: message.parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n'),
      }
    case 'assistant':
      return { role: 'assistant', content: message.text, ...traceCalls(message.calls) }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ callId, name, text }) => ({ tool_call_id: callId, name, content: text })),
      }
    default:
      return message satisfies never
  }
}

function toChoice({ text, calls, finish }: StepRecord): unknown {
  return { index: 0, message: { role: 'assistant', content: text, ...traceCalls(calls) }, finish_reason: finish }
}

function traceCalls(calls: StepRecord['calls']): object {
  if (calls.length === 0) return {}
  return {
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: maskedArguments(given) },
    })),
  }
}

function toTool({ name, description, parameters }: ModelTool): unknown {
  return { type: 'function', function: { name, description, parameters } }
}
