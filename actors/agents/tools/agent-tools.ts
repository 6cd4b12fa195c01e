/** The tools of an agent: the functions of its instance, its knowledge, and the way to a person. */
import type { ModelCall } from '../../../schemas/agents/models.js'
import type {
  AgentTools,
  CallContext,
  FunctionHttp,
  ToolChoice,
  ToolResult,
  ToolSet,
} from '../../../schemas/agents/tools.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { AgentRecords, FunctionRow } from '../../../schemas/ports/records.js'
import { answerText, withoutSecrets } from './answer-text.js'
import { type ArgumentValue, checkArguments } from './arguments.js'
import { BUILT_IN_NAMES, searchTool, transferTool } from './built-in.js'
import { type FunctionTool, functionTools } from './definitions.js'
import { recordOf } from './record.js'
import { fillRequest, ValueRefused } from './request.js'
import { type KnowledgeSearch, runSearch, runTransfer } from './run-built-in.js'

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
    context: CallContext,
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
    { reserved, signal, turn, generation, step, call: number }: CallContext,
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
      text: withoutSecrets(text, row.headers),
      isError,
      isEffect: !READING.has(row.method) && (answer.isAnswered || !answer.isNotSent),
      record: recordOf(call, {
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
  return { text, isError: true, isEffect: false, record: recordOf(call, { error: text }) }
}

function unknownName(name: string, { tools }: ToolSet): string {
  const known = tools.map((tool) => tool.name).join(', ')
  return `There is no function ${JSON.stringify(name.slice(0, 64))}. The functions are: ${known}.`
}
