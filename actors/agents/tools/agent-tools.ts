/** The tools of an agent: the functions of its instance, its knowledge, and the way to a person. */
import { type ModelCall, ModelError } from '../../../schemas/agents/models.js'
import type {
  AgentTools,
  CallRow,
  FunctionHttp,
  ToolCallContext,
  ToolChoice,
  ToolResult,
  ToolSet,
} from '../../../schemas/agents/tools.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { AgentKnowledge } from '../../../schemas/ports/agents.js'
import type { AgentRecords, FunctionRow } from '../../../schemas/ports/records.js'
import { answerText, lostText, toCallRecord, withoutHeaderSecrets } from './answer-text.js'
import { type ArgumentValue, checkArguments } from './arguments.js'
import { BUILT_IN_NAMES, searchTool, transferTool } from './built-in.js'
import { type FunctionTool, functionTools, type ToolParameter } from './definitions.js'
import { fillRequest, ValueRefused } from './request.js'

/** Makes a call so that a crash repeats it only if it may be repeated. */
const NAME_MAX = 64

/** Writes the row of a call. The write is durable when it resolves. */
type StoreCall = (row: CallRow) => Promise<unknown>

/**
 * Runs the call, or returns the stored result. `former`: the row of an earlier try of this call, from before a crash or a hand-over. One that
 * was started and has no result is made again only if that does no harm; else the model learns that its outcome is not known.
 * @throws what `store` throws: before the call, and then nothing is called, or after it; the reason of the signal
 */
export async function durableCall(
  set: ToolSet,
  call: ModelCall,
  context: ToolCallContext,
  store: StoreCall,
  former: CallRow | null,
): Promise<ToolResult> {
  if (former?.result) return former.result
  const { turn, generation, step, call: number } = context
  const place = { turn, generation, step, call: number, name: call.name.slice(0, NAME_MAX) }
  const isLost = former !== null && !set.isRepeatable(call.name)
  if (former === null) await store({ ...place, result: null })
  const result = isLost ? lost(call) : await set.run(call, context)
  await store({ ...place, result })
  return result
}

function lost(call: ModelCall): ToolResult {
  const { text } = lostText()
  return { text, isError: true, isEffect: true, record: toCallRecord(call, { error: text }) }
}

export interface AgentToolsOptions {
  readonly records: Pick<AgentRecords, 'functions' | 'findFunction'>
  readonly http: FunctionHttp
  /** Null: there is no knowledge to search. */
  readonly knowledge: KnowledgeSearch | null
}

/** Only these methods promise to change nothing (RFC 9110 9.2.1). */
const READING: ReadonlySet<string> = new Set(['GET'])

export function createAgentTools({ records, http, knowledge }: AgentToolsOptions): AgentTools {
  return {
    async of(instance, choice) {
      const { tools, warnings } = functionTools(await records.functions(instance), choice.functions)
      const byName = new Map(tools.map((tool) => [tool.model.name, tool]))
      const set: ToolSet = {
        tools: [
          ...tools.map(({ model }) => model),
          transferTool,
          ...(knowledge !== null && hasKnowledge(choice) ? [searchTool] : []),
        ],
        warnings,
        isRepeatable: (name) => isBuiltIn(name) || isRepeatable(byName.get(name)?.row),
        mayHaveEffect: (name) => hasEffect(byName.get(name)?.row),
        async run(call, context) {
          context.signal.throwIfAborted()
          if (call.name === transferTool.name) return runTransfer(call)
          if (call.name === searchTool.name && knowledge !== null && hasKnowledge(choice))
            return await runSearch(call, knowledge, instance, choice.knowledge, context.signal)
          const tool = byName.get(call.name)
          if (tool === undefined) return refused(call, unknownName(call.name, set))
          return await runFunction(instance, tool, call, context)
        },
      }
      return set
    },
  }

  async function runFunction(
    instance: InstanceId,
    tool: FunctionTool,
    call: ModelCall,
    context: ToolCallContext,
  ): Promise<ToolResult> {
    // The owner may have changed it, or switched it off, since the model was asked.
    const row = await records.findFunction(instance, tool.row.id)
    if (row === null || !row.active)
      return refused(call, `The function ${tool.model.name} has been switched off. Answer without it.`)
    const current = row.updated.getTime() === tool.row.updated.getTime() ? tool : functionTools([row], null).tools[0]
    const checked = checkArguments(call.arguments, current?.parameters ?? [])
    if (!checked.isValid) return refused(call, checked.text)
    return await send(instance, row, call, checked.values, context)
  }

  async function send(
    instance: InstanceId,
    row: FunctionRow,
    call: ModelCall,
    values: ReadonlyMap<string, ArgumentValue>,
    { reserved, signal, turn, generation, step, call: number }: ToolCallContext,
  ): Promise<ToolResult> {
    let request: ReturnType<typeof fillRequest>
    try {
      request = fillRequest(row, values, reserved)
    } catch (error) {
      if (error instanceof ValueRefused) return refused(call, error.message)
      throw error
    }
    const hasOwnKey = Object.keys(request.headers).some((name) => name.toLowerCase() === 'idempotency-key')
    const headers = hasOwnKey
      ? request.headers
      : { ...request.headers, 'idempotency-key': `${turn}-${generation}-${step}-${number}` }
    const startedAt = performance.now()
    const answer = await http.call(instance, { ...request, headers }, signal)
    const { text, isError, error } = answerText(answer, isRepeatable(row))
    return {
      text: withoutHeaderSecrets(text, row.headers),
      isError,
      isEffect: !READING.has(row.method) && (answer.isAnswered || !answer.isNotSent),
      record: toCallRecord(call, {
        endpoint: `${row.method} ${request.url.host}`,
        durationMs: Math.round(performance.now() - startedAt),
        ...(answer.isAnswered ? { status: answer.statusCode } : {}),
        ...(error === undefined ? {} : { error }),
      }),
    }
  }
}

/** A function that is gone may have been one with an effect. */
function isRepeatable(row: FunctionRow | undefined): boolean {
  return row !== undefined && (READING.has(row.method) || row.retrySafe)
}

function hasEffect(row: FunctionRow | undefined): boolean {
  return row !== undefined && !READING.has(row.method)
}

function isBuiltIn(name: string): boolean {
  return (BUILT_IN_NAMES as readonly string[]).includes(name)
}

/** An agent whose own list is empty searches nothing. */
function hasKnowledge({ knowledge }: ToolChoice): boolean {
  return knowledge === null || knowledge.length > 0
}

function refused(call: ModelCall, text: string): ToolResult {
  return { text, isError: true, isEffect: false, record: toCallRecord(call, { error: text }) }
}

function unknownName(name: string, { tools }: ToolSet): string {
  const known = tools.map((tool) => tool.name).join(', ')
  return `There is no function ${JSON.stringify(name.slice(0, 64))}. The functions are: ${known}.`
}

// Runs the tools that every agent has.

export type KnowledgeSearch = Pick<AgentKnowledge, 'find'>

const CHUNKS_MAX = 6
const TOKENS_MAX = 2_000

const MESSAGE = parameters('message')
const QUERY = parameters('query')

function runTransfer(call: ModelCall): ToolResult {
  const { value, text } = read(call, MESSAGE)
  if (value === null) return { text, isError: true, isEffect: false, record: toCallRecord(call, { error: text }) }
  return {
    text: 'The conversation goes to a person.',
    isError: false,
    isEffect: false,
    transfer: { message: value },
    record: toCallRecord(call),
  }
}

/** A search that fails is an answer too: the model goes on without it. */
async function runSearch(
  call: ModelCall,
  knowledge: KnowledgeSearch,
  instance: InstanceId,
  entries: readonly string[] | null,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { value, text } = read(call, QUERY)
  if (value === null) return { text, isError: true, isEffect: false, record: toCallRecord(call, { error: text }) }
  try {
    const options = { entries, chunksMax: CHUNKS_MAX, tokensMax: TOKENS_MAX, signal }
    const { chunks } = await knowledge.find(instance, value, options)
    const found = chunks.map((chunk) => `# ${chunk.title}\n${chunk.text}`).join('\n\n')
    return {
      text: found === '' ? 'Nothing was found in the knowledge base.' : found,
      isError: false,
      isEffect: false,
      record: toCallRecord(call),
    }
  } catch (error) {
    signal.throwIfAborted()
    const why = 'The knowledge base cannot be searched now.'
    return {
      text: why,
      isError: true,
      isEffect: false,
      record: toCallRecord(call, { error: why, ...describeError(error) }),
    }
  }
}

function describeError(error: unknown): { error?: string } {
  return error instanceof ModelError ? { error: error.message } : {}
}

function parameters(name: string): readonly ToolParameter[] {
  return [{ definition: { name, type: 'string' }, name, isRequired: true }]
}

/** Returns the one argument, or null and a text for the model. */
function read(call: ModelCall, [parameter]: readonly ToolParameter[]): { value: string | null; text: string } {
  const name = parameter?.name ?? ''
  const checked = checkArguments(call.arguments, parameter === undefined ? [] : [parameter])
  if (!checked.isValid) return { value: null, text: checked.text }
  const value = String(checked.values.get(name) ?? '').trim()
  return value === '' ? { value: null, text: `${JSON.stringify(name)} must not be empty.` } : { value, text: '' }
}
