/** Prepares trials of agents, a few at once for each instance. */
import { randomBytes } from 'node:crypto'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import type { AgentModels, ModelMessage } from '../../schemas/agents/models.js'
import type { AgentDirectory, AgentRow } from '../../schemas/agents/records.js'
import { reservedNames, reservedValues } from '../../schemas/agents/reserved-placeholders.js'
import type { AgentTools, FunctionHttp } from '../../schemas/agents/tools.js'
import type { HistoryMessage } from '../../schemas/agents/turns.js'
import { GatewayError } from '../../schemas/errors.js'
import type { TestAgentReply } from '../../schemas/generated.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { AgentKnowledge, AgentTrials, DayBudget, TrialRequest } from '../../schemas/ports/agents.js'
import { conversationOf } from './conversation.js'
import { modelAddress, modelSettings } from './model-settings.js'
import { runTrial } from './trial.js'

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
      start: startOf(agent, request, chunks),
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
    return { chunks: [], warning: [`The knowledge could not be searched: ${reasonOf(error)}`] }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === 'ModelError' ? error.message : 'an error of the gateway.'
}

function startOf(agent: AgentRow, { messages }: TrialRequest, knowledge: readonly Chunk[]): ModelMessage[] {
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
  return conversationOf({ basePrompt, agentName, isGroup: false, history, knowledge, images: new Map() })
}
