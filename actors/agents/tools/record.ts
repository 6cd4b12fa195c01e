import { cut } from '../../../lib/cut.js'
import { maskedArguments } from '../../../schemas/agents/masked-arguments.js'
import type { CallRecord } from '../../../schemas/agents/tools.js'

const ARGUMENTS_MAX = 4_096

/** Returns the record of a call, with the values of arguments that are named like secrets masked. */
export function recordOf(
  call: { readonly name: string; readonly arguments: string },
  more: Partial<CallRecord> = {},
): CallRecord {
  return { name: cut(call.name, 64), arguments: cut(maskedArguments(call.arguments), ARGUMENTS_MAX), ...more }
}
