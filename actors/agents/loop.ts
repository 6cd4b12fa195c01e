/**
 * The loop of a turn: the model answers, its calls run, the model answers again. Decides only what comes next, from the steps so far, so that a
 * turn goes on from its stored steps after a crash, and a trial runs through the same code.
 */
import type { ModelAnswer, ModelCall, ModelCallResult, ModelMessage } from '../../schemas/agents/models.js'
import type { ToolResult } from '../../schemas/agents/tools.js'

// Bound: 65,536, 5,000 values, the arguments of a call by a model.

/** An answer of the model, and the results of its calls so far, in the order of the calls. */
export interface LoopStep {
  readonly answer: ModelAnswer
  readonly results: readonly ToolResult[]
}

export interface LoopLimits {
  /** Answers of the model in a turn. The last one may not call tools. */
  readonly stepsMax: number
  readonly callsMax: number
  /** Calls of one tool with equal arguments. */
  readonly equalCallsMax: number
}

export const loopLimits: LoopLimits = { stepsMax: 8, callsMax: 16, equalCallsMax: 3 }

export type NextAct =
  /** Ask the model with these messages. Its answer is the next step. */
  | {
      readonly kind: 'ask'
      readonly step: number
      readonly messages: readonly ModelMessage[]
      readonly toolChoice: 'auto' | 'none'
    }
  /** Run the call; its result joins the last step. If `refused` is given, that is the result, and nothing runs. */
  | {
      readonly kind: 'call'
      readonly step: number
      readonly call: number
      readonly asked: ModelCall
      readonly refused: ToolResult | null
    }
  /** The turn ends with this text. */
  | {
      readonly kind: 'reply'
      readonly text: string
      readonly isTransfer: boolean
      readonly warnings: readonly string[]
    }
  /** The turn ends without a text. `blocked`: the provider refused the content. `empty`: the model gave no text. */
  | { readonly kind: 'fail'; readonly reason: 'blocked' | 'empty' }

/** Returns what comes next in a turn that began with these messages. */
export function nextAct(
  start: readonly ModelMessage[],
  steps: readonly LoopStep[],
  limits: LoopLimits = loopLimits,
): NextAct {
  const last = steps.at(-1)
  if (last === undefined) return ask(start, steps, limits)
  const transfer = last.results.find((result) => result.transfer !== undefined)?.transfer
  if (transfer !== undefined) return reply(transfer.message, steps, true)
  const { answer, results } = last
  // The last answer may not call; a model that calls all the same has given its last text.
  if (answer.calls.length === 0 || steps.length >= limits.stepsMax) return end(steps)
  const asked = answer.calls[results.length]
  if (asked === undefined || results.length > limits.callsMax) return ask(start, steps, limits)
  const step = steps.length - 1
  return { kind: 'call', step, call: results.length, asked, refused: refusal(asked, callsBefore(steps), limits) }
}

/** Whether a call of the turn may have had an effect, so that the turn must not begin again. */
export function hadEffect(steps: readonly LoopStep[]): boolean {
  return steps.some(({ results }) => results.some(({ isEffect }) => isEffect))
}

/** Returns the messages to which the last step is the answer. */
export function requestBefore(start: readonly ModelMessage[], steps: readonly LoopStep[]): readonly ModelMessage[] {
  return [...start, ...steps.slice(0, -1).flatMap(answerCalls)]
}

function ask(start: readonly ModelMessage[], steps: readonly LoopStep[], { stepsMax }: LoopLimits): NextAct {
  const step = steps.length
  const messages = [...start, ...steps.flatMap(answerCalls)]
  return { kind: 'ask', step, messages, toolChoice: step + 1 >= stepsMax ? 'none' : 'auto' }
}

function answerCalls({ answer: { text, calls, raw }, results }: LoopStep): ModelMessage[] {
  const given = calls.map(
    ({ id, name }, index): ModelCallResult => ({
      callId: id,
      name,
      text: results[index]?.text ?? 'This call was not made: your answer has too many calls.',
      isError: results[index]?.isError ?? true,
    }),
  )
  return [
    { role: 'assistant', text, calls, raw },
    { role: 'tool', results: given },
  ]
}

function end(steps: readonly LoopStep[]): NextAct {
  if (steps.at(-1)?.answer.finish === 'blocked') return { kind: 'fail', reason: 'blocked' }
  // Some models write their text beside a call, and nothing after it.
  const text = steps.map(({ answer }) => answer.text.trim()).findLast((one) => one !== '')
  return text === undefined ? { kind: 'fail', reason: 'empty' } : reply(text, steps, false)
}

function reply(text: string, steps: readonly LoopStep[], isTransfer: boolean): NextAct {
  const warnings = new Set(steps.flatMap(({ answer }) => answer.warnings))
  if (!isTransfer && steps.at(-1)?.answer.finish === 'length')
    warnings.add('The answer reached the limit of maxTokens and may end in the middle of a sentence.')
  return { kind: 'reply', text, isTransfer, warnings: [...warnings] }
}

/** The calls of the turn that have a result. */
function callsBefore(steps: readonly LoopStep[]): readonly ModelCall[] {
  return steps.flatMap(({ answer, results }) => answer.calls.slice(0, results.length))
}

function refusal(asked: ModelCall, before: readonly ModelCall[], limits: LoopLimits): ToolResult | null {
  if (before.length >= limits.callsMax)
    return refused(asked, `The limit of ${limits.callsMax} calls of this turn is reached. Answer with what you know.`)
  const key = formatKey(asked)
  if (before.filter((one) => formatKey(one) === key).length >= limits.equalCallsMax)
    return refused(
      asked,
      `This call was made ${limits.equalCallsMax} times with the same arguments. Do not repeat it; answer with what you know.`,
    )
  return null
}

function refused({ name }: ModelCall, text: string): ToolResult {
  return { text, isError: true, isEffect: false, record: { name, arguments: '', error: text } }
}

/** Equal for equal arguments, whatever their order and spaces. */
function formatKey({ name, arguments: text }: ModelCall): string {
  try {
    return `${name} ${JSON.stringify(sorted(JSON.parse(text)))}`
  } catch {
    return `${name} ${text}`
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([key, one]) => [key, sorted(one)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}
