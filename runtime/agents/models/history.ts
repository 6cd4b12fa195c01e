/** Puts a history into an order that every provider takes, since one that is refused is refused in each later turn too. */
import type { ModelCallResult, ModelMessage, ModelPart } from '../../../schemas/agents/models.js'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>

const NOTHING = '(empty)'
const UNKNOWN_OUTCOME = 'The outcome of this call is unknown.'

/**
 * Joins messages of one role, puts all system texts first, leaves out empty texts, gives each call its result and each result its call.
 * A history that opens with an assistant gets a message of the user before it.
 */
export function orderly(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  const ordered: ModelMessage[] = []
  for (const message of messages) if (message.role !== 'system') append(ordered, message)
  closeCalls(ordered)
  if (ordered[0]?.role === 'assistant') ordered.unshift({ role: 'user', parts: [{ type: 'text', text: NOTHING }] })
  const text = system.filter((one) => one.trim() !== '').join('\n\n')
  return text === '' ? ordered : [{ role: 'system', text }, ...ordered]
}

function append(ordered: ModelMessage[], message: Exclude<ModelMessage, { role: 'system' }>): void {
  const last = ordered.at(-1)
  if (message.role === 'tool') {
    appendResults(ordered, message.results)
    return
  }
  if (message.role === 'user') {
    closeCalls(ordered)
    const parts = filled(message.parts)
    const before = ordered.at(-1)
    if (before?.role === 'user') ordered[ordered.length - 1] = { role: 'user', parts: [...before.parts, ...parts] }
    else ordered.push({ role: 'user', parts })
    return
  }
  if (message.text.trim() === '' && message.calls.length === 0) return
  closeCalls(ordered)
  if (last?.role === 'assistant' && last.calls.length === 0) ordered[ordered.length - 1] = joined(last, message)
  else ordered.push(message)
}

function filled(parts: readonly ModelPart[]): readonly ModelPart[] {
  const kept = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  return kept.length === 0 ? [{ type: 'text', text: NOTHING }] : kept
}

function joined(first: Assistant, second: Assistant): Assistant {
  return { ...second, text: [first.text, second.text].filter((text) => text.trim() !== '').join('\n\n'), raw: null }
}

/** Keeps results of calls of the message before, each once. */
function appendResults(ordered: ModelMessage[], results: readonly ModelCallResult[]): void {
  const last = ordered.at(-1)
  const earlier = last?.role === 'tool' ? last.results : []
  const asked = last?.role === 'tool' ? ordered.at(-2) : last
  if (asked?.role !== 'assistant') return
  const open = new Set(asked.calls.map(({ id }) => id))
  for (const { callId } of earlier) open.delete(callId)
  const kept = results.filter(({ callId }) => open.delete(callId))
  if (kept.length === 0) return
  const filledResults = kept.map((result) => ({ ...result, text: result.text.trim() === '' ? NOTHING : result.text }))
  if (last?.role === 'tool') ordered[ordered.length - 1] = { role: 'tool', results: [...earlier, ...filledResults] }
  else ordered.push({ role: 'tool', results: filledResults })
}

/** Gives calls without a result one. */
function closeCalls(ordered: ModelMessage[]): void {
  const last = ordered.at(-1)
  const asked = last?.role === 'tool' ? ordered.at(-2) : last
  if (asked?.role !== 'assistant' || asked.calls.length === 0) return
  const known = new Set(last?.role === 'tool' ? last.results.map(({ callId }) => callId) : [])
  const missing = asked.calls
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ callId: id, name, text: UNKNOWN_OUTCOME, isError: true }))
  appendResults(ordered, missing)
}
