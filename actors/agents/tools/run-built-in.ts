/** Runs the tools that every agent has. */
import { type ModelCall, ModelError } from '../../../schemas/agents/models.js'
import type { ToolResult } from '../../../schemas/agents/tools.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { AgentKnowledge } from '../../../schemas/ports/knowledge.js'
import { checkArguments } from './arguments.js'
import type { ToolParameter } from './definitions.js'
import { recordOf } from './record.js'

export type KnowledgeSearch = Pick<AgentKnowledge, 'find'>

const CHUNKS_MAX = 6
const TOKENS_MAX = 2_000

const MESSAGE = parameters('message')
const QUERY = parameters('query')

export function runTransfer(call: ModelCall): ToolResult {
  const { value, text } = read(call, MESSAGE)
  if (value === null) return { text, isError: true, isEffect: false, record: recordOf(call, { error: text }) }
  return {
    text: 'The conversation goes to a person.',
    isError: false,
    isEffect: false,
    transfer: { message: value },
    record: recordOf(call),
  }
}

/** A search that fails is an answer too: the model goes on without it. */
export async function runSearch(
  call: ModelCall,
  knowledge: KnowledgeSearch,
  instance: InstanceId,
  entries: readonly string[] | null,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { value, text } = read(call, QUERY)
  if (value === null) return { text, isError: true, isEffect: false, record: recordOf(call, { error: text }) }
  try {
    const options = { entries, chunksMax: CHUNKS_MAX, tokensMax: TOKENS_MAX, signal }
    const { chunks } = await knowledge.find(instance, value, options)
    const found = chunks.map((chunk) => `# ${chunk.title}\n${chunk.text}`).join('\n\n')
    return {
      text: found === '' ? 'Nothing was found in the knowledge base.' : found,
      isError: false,
      isEffect: false,
      record: recordOf(call),
    }
  } catch (error) {
    signal.throwIfAborted()
    const why = 'The knowledge base cannot be searched now.'
    return { text: why, isError: true, isEffect: false, record: recordOf(call, { error: why, ...reasonOf(error) }) }
  }
}

function reasonOf(error: unknown): { error?: string } {
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
