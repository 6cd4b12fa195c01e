/** Makes a call so that a crash repeats it only if it may be repeated. */
import type { ModelCall } from '../../../schemas/agents/models.js'
import type { CallRow, ToolCallContext, ToolResult, ToolSet } from '../../../schemas/agents/tools.js'
import { lostText } from './answer-text.js'
import { recordOf } from './record.js'

const NAME_MAX = 64

/** Writes the row of a call. The write is durable when it resolves. */
export type StoreCall = (row: CallRow) => Promise<unknown>

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
  return { text, isError: true, isEffect: true, record: recordOf(call, { error: text }) }
}
