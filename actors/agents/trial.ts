/** Tries an agent: the loop of a turn, without a chat, a queue and a store. */
import {
  type AgentModels,
  type ModelAddress,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelStep,
  type ModelUsage,
} from '../../schemas/agents/models.js'
import type { ToolResult, ToolSet } from '../../schemas/agents/tools.js'
import type { TestAgentReply } from '../../schemas/generated.js'
import type { DayBudget, PlannedSpending } from '../../schemas/ports/agents.js'
import { estimatedTokens } from './conversation.js'
import { type LoopStep, nextAct } from './loop.js'

export interface TrialParts {
  /** Names the trial to the functions. */
  readonly id: string
  readonly address: ModelAddress
  readonly settings: Omit<ModelStep, 'messages' | 'tools' | 'toolChoice'>
  readonly start: readonly ModelMessage[]
  readonly models: Pick<AgentModels, 'generate'>
  readonly budget: DayBudget
  readonly prices: PlannedSpending['prices']
  readonly tools: ToolSet
  readonly reserved: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

type TrialStep = LoopStep & { readonly durationMs: number }

const NO_ANSWER = {
  blocked: 'The provider refused to answer because of the content.',
  empty: 'The model gave no text.',
}

/** Runs the turn to its end. A failure of the provider is a part of the reply. @throws the reason of the signal */
export async function runTrial(parts: TrialParts): Promise<Omit<TestAgentReply, 'chunks'>> {
  const { tools, start } = parts
  const steps: TrialStep[] = []
  const ends = (end: { reply?: string; isTransfer?: boolean; error?: string; warnings?: readonly string[] }) => ({
    reply: '',
    isTransfer: false,
    error: '',
    ...end,
    steps: steps.map(shownStep),
    usage: sumOf(steps),
    warnings: [...new Set([...tools.warnings, ...(end.warnings ?? steps.flatMap(({ answer }) => answer.warnings))])],
  })
  for (;;) {
    const act = nextAct(start, steps)
    if (act.kind === 'reply') {
      const { text, isTransfer, warnings } = act
      return ends({ reply: text, isTransfer, warnings })
    }
    if (act.kind === 'fail') return ends({ error: NO_ANSWER[act.reason] })
    if (act.kind === 'call') addResult(steps, act.refused ?? (await call(parts, act)))
    else {
      const startedAt = performance.now()
      const answer = await ask(parts, act)
      if (answer instanceof ModelError) return ends({ error: answer.message })
      steps.push({ answer, results: [], durationMs: Math.round(performance.now() - startedAt) })
    }
  }
}

async function ask(
  { models, budget, prices, address, settings, tools, signal }: TrialParts,
  { messages, toolChoice }: { messages: readonly ModelMessage[]; toolChoice: 'auto' | 'none' },
): Promise<ModelAnswer | ModelError> {
  try {
    const step = { ...settings, messages, tools: tools.tools, toolChoice }
    const tokens = estimatedTokens(messages, tools.tools) + settings.maxTokens
    const planned = { instance: address.instance, tokens, prices }
    return await budget.spend(planned, () => models.generate(address, step, { signal }))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ModelError) return error
    throw error
  }
}

function call(
  { id, tools, reserved, signal }: TrialParts,
  { step, call: number, asked }: Extract<ReturnType<typeof nextAct>, { kind: 'call' }>,
): Promise<ToolResult> {
  return tools.run(asked, { turn: id, generation: 0, step, call: number, reserved, signal })
}

function addResult(steps: TrialStep[], result: ToolResult): void {
  const last = steps.pop()
  if (last !== undefined) steps.push({ ...last, results: [...last.results, result] })
}

function shownStep({
  answer: { text, finish, usage },
  results,
  durationMs,
}: TrialStep): TestAgentReply['steps'][number] {
  const calls = results.map(({ text: result, isError, record }) => {
    const { error: _, ...shown } = record
    return { ...shown, result, isError }
  })
  return { text, finish, durationMs, usage, calls }
}

function sumOf(steps: readonly TrialStep[]): ModelUsage {
  const usages = steps.map(({ answer }) => answer.usage)
  return {
    inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    isEstimate: usages.some(({ isEstimate }) => isEstimate),
  }
}
