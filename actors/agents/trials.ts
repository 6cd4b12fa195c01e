/** Prepares trials of agents, a few at once for each instance. */
import { randomBytes } from 'node:crypto'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import {
  type AgentModels,
  type ModelAddress,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelStep,
  type ModelUsage,
} from '../../schemas/agents/models.js'
import type { AgentDirectory, AgentRow } from '../../schemas/agents/records.js'
import { reservedNames, reservedValues } from '../../schemas/agents/reserved-placeholders.js'
import type { AgentTools, FunctionHttp, ToolResult, ToolSet } from '../../schemas/agents/tools.js'
import type { HistoryMessage } from '../../schemas/agents/turns.js'
import { GatewayError } from '../../schemas/errors.js'
import type { TestAgentReply } from '../../schemas/generated.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type {
  AgentKnowledge,
  AgentTrials,
  DayBudget,
  PlannedSpending,
  TrialRequest,
} from '../../schemas/ports/agents.js'
import { composeConversation, estimatedTokens } from './conversation.js'
import { type LoopStep, nextAct } from './loop.js'
import { modelAddress, modelSettings } from './model-settings.js'

type Chunk = TestAgentReply['chunks'][number]

export interface TrialOptions {
  readonly agents: Pick<AgentDirectory, 'findAgent' | 'agentKey'>
  readonly models: Pick<AgentModels, 'generate'>
  readonly tools: AgentTools
  /** Tools that call no function, and say so. */
  readonly dryTools: AgentTools
  readonly knowledge: Pick<AgentKnowledge, 'find'>
  readonly budget: DayBudget
  /** For a whole trial. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 120_000
const AT_ONCE = 2
const WAITING_MAX = 4
const CHUNKS_MAX = 6
const TOKENS_MAX = 2_000

export function createAgentTrials(options: TrialOptions): AgentTrials {
  const { agents, models, tools, dryTools, budget, timeoutMs = TIMEOUT_MS } = options
  const turns = createOwnerSlots({ max: AT_ONCE, waitingMax: WAITING_MAX }, tooMany)
  return { run: (instance, request) => turns.run(instance.id, () => run(instance, request)) }

  async function run(instance: Parameters<AgentTrials['run']>[0], request: TrialRequest): Promise<TestAgentReply> {
    const agent = await agents.findAgent(instance.id, request.agentId)
    if (agent === null) throw new GatewayError('AGENT_NOT_FOUND')
    const signal = AbortSignal.timeout(timeoutMs)
    const { chunks, warning } = await findChunks(options.knowledge, instance.id, agent, request, signal)
    const { runFunctions, placeholders } = request
    const reserved = new Map([...reservedValues({}, instance), ...Object.entries(placeholders)])
    const trial = await runTrial({
      id: `trial${randomBytes(8).toString('hex')}`,
      address: modelAddress(instance.id, agent, await agents.agentKey(instance.id, agent.id)),
      settings: modelSettings(agent),
      start: beginTrial(agent, request, chunks),
      models,
      budget,
      prices: { input: agent.inputPrice ?? 0, output: agent.outputPrice ?? 0 },
      tools: await (runFunctions ? tools : dryTools).of(instance.id, agent),
      // No function gets them in a dry run, so any value will do.
      reserved: runFunctions
        ? reserved
        : new Map([...reservedNames().map((name) => [name, '0'] as const), ...reserved]),
      signal,
    })
    return { ...trial, chunks, warnings: [...trial.warnings, ...warning] }
  }
}

/** A way to the functions that is none: the model learns that the call is a trial. */
export const dryHttp: FunctionHttp = {
  async call() {
    return {
      isAnswered: true,
      statusCode: 200,
      contentType: 'text/plain',
      text: '[This is a trial: the function was not called. Continue as if it had succeeded.]',
      isCut: false,
    }
  },
}

function tooMany(): GatewayError {
  return new GatewayError('RATE_LIMITED', { message: 'Too many trials of this instance are under way.' })
}

/** Searches with the text of the customer's last messages. */
async function findChunks(
  knowledge: Pick<AgentKnowledge, 'find'>,
  instance: InstanceId,
  agent: AgentRow,
  { messages }: TrialRequest,
  signal: AbortSignal,
): Promise<{ chunks: Chunk[]; warning: string[] }> {
  const lastOfAgent = messages.findLastIndex(({ role }) => role === 'assistant')
  const query = messages
    .slice(lastOfAgent + 1)
    .map(({ text }) => text)
    .join('\n')
  if (agent.knowledge?.length === 0) return { chunks: [], warning: [] }
  try {
    const options = { entries: agent.knowledge, chunksMax: CHUNKS_MAX, tokensMax: TOKENS_MAX, signal }
    const { chunks, warning } = await knowledge.find(instance, query, options)
    return { chunks: [...chunks], warning: warning === undefined ? [] : [warning] }
  } catch (error) {
    signal.throwIfAborted()
    return { chunks: [], warning: [`The knowledge could not be searched: ${describeError(error)}`] }
  }
}

function describeError(error: unknown): string {
  return error instanceof Error && error.name === 'ModelError' ? error.message : 'an error of the gateway.'
}

function beginTrial(agent: AgentRow, { messages }: TrialRequest, knowledge: readonly Chunk[]): ModelMessage[] {
  const history = messages.map(
    ({ role, text }, position): HistoryMessage => ({
      position,
      id: '',
      messageid: `trial-${position}` as MessageId,
      fromMe: role === 'assistant',
      atMs: 0,
      senderName: '',
      messageType: 'conversation',
      mediaType: '',
      text,
      quotedText: '',
      isDeleted: false,
      extracted: null,
    }),
  )
  const { basePrompt, name: agentName } = agent
  return composeConversation({ basePrompt, agentName, isGroup: false, history, knowledge, images: new Map() })
}

/** Tries an agent: the loop of a turn, without a chat, a queue and a store. */
interface TrialParts {
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
async function runTrial(parts: TrialParts): Promise<Omit<TestAgentReply, 'chunks'>> {
  const { tools, start } = parts
  const steps: TrialStep[] = []
  const ends = (end: { reply?: string; isTransfer?: boolean; error?: string; warnings?: readonly string[] }) => ({
    reply: '',
    isTransfer: false,
    error: '',
    ...end,
    steps: steps.map(shownStep),
    usage: addUsages(steps),
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

function addUsages(steps: readonly TrialStep[]): ModelUsage {
  const usages = steps.map(({ answer }) => answer.usage)
  return {
    inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    isEstimate: usages.some(({ isEstimate }) => isEstimate),
  }
}
