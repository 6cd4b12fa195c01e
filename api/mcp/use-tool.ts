/** Carries out one use of a tool: rights, limits, input, consent, the tool itself, and the check of its result. */
import { GatewayError } from '../../schemas/errors.js'
import { parseRecipient, toChatId } from '../../schemas/jid.js'
import type { ApiState } from '../context.js'
import type { InnerCalls } from '../inner-calls.js'
import { newNotes } from '../input/fold.js'
import type { Validation } from '../input/validation.js'
import { checkScope } from '../key-rights.js'
import type { ApiPorts } from '../ports.js'
import type { RateLimiter } from '../rate-limits.js'
import type { Caller } from '../route.js'
import { ConfirmationNeeded, type Confirmations } from './confirmations.js'
import { maySee, type Tool, type ToolCall } from './tool.js'
import { quotedWords } from './visible-text.js'

export interface ToolParts {
  readonly ports: Pick<ApiPorts, 'messages'>
  readonly ask: InnerCalls
  readonly validation: Validation
  readonly confirmations: Confirmations
  readonly strangers: RateLimiter
  readonly checkReplies: boolean
}

export interface ToolUse {
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  readonly caller: Caller
  readonly state: ApiState
  /** Proof of the question that a person has just agreed to; undefined if nobody was asked. */
  readonly agreed: string | undefined
}

/** @throws GatewayError, and ConfirmationNeeded with the proof of this use */
export async function useTool(
  { tool, args: given, caller, state, agreed }: ToolUse,
  parts: ToolParts,
): Promise<object> {
  checkRights(tool, caller)
  const notes = newNotes()
  const { confirm: shown, ...args } = parts.validation.body(tool.schema, given, notes) as Record<string, unknown>
  parts.validation.completeNumbers(tool.schema, 'request', args, caller.instance?.defaultCountry ?? '')
  const warnings = [...notes.warnings, ...notes.unknown.slice(0, 20).map((name) => `${name}: unknown field, ignored`)]
  const consent = { tokenKey: caller.tokenKey, tool: tool.name, args }
  const proofs = [shown, agreed].filter((proof) => typeof proof === 'string')

  const call: ToolCall<unknown> = {
    args,
    caller,
    warnings,
    async ask(route, body, headers = {}) {
      const answer = await parts.ask(route, { caller, state, body, headers })
      warnings.push(...answer.warnings)
      return answer.reply as never
    },
    async confirm(question) {
      if (proofs.some((proof) => parts.confirmations.isProof(proof, consent))) return
      throw new ConfirmationNeeded(question, parts.confirmations.makeProof(consent))
    },
    async meet(recipient, contents) {
      if (await isKnown(recipient, caller, parts.ports)) return
      const who = `Send the first message to ${recipient}, with whom this account has no messages?`
      await call.confirm(`${who} It says: ${quotedWords(contents)}`)
      parts.strangers.take(caller.tokenKey)
    },
  }
  const result = await tool.run(call)
  if (parts.checkReplies) parts.validation.reply(tool.schema, result)
  return result
}

/** @throws GatewayError KEY_NOT_ENOUGH, KEY_OTHER_CHAT */
function checkRights(tool: Tool, { key }: Caller): void {
  if (key === null || maySee(tool, key)) return
  for (const route of tool.routes) checkScope(route, key)
  throw new GatewayError('KEY_NOT_ENOUGH', {
    message: `The key does not allow ${tool.name}: it needs the scope change, and has ${key.scopes.join(', ')}.`,
  })
}

/** Tells whether there are messages with the recipient. The chat of a key was chosen by a person; groups are known by nature. */
async function isKnown(
  recipient: string,
  { instance, key }: Caller,
  { messages }: ToolParts['ports'],
): Promise<boolean> {
  const address = parseRecipient(recipient, 'to')
  if (instance === null || key?.chat || address.group !== undefined) return true
  const found = await messages.find(instance.id, { chatid: toChatId(address), limit: 1, offset: 0 })
  return found.messages.length > 0
}
