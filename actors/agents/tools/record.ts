import type { CallRecord } from '../../../schemas/agents/tools.js'
import { cut } from '../../../schemas/cut.js'
import { isObject } from '../../../schemas/is-object.js'

const SECRET_NAME = /api[-_ ]?key|apikey|token|secret|passw|senha|authori[sz]ation|bearer|credential/i
const ARGUMENTS_MAX = 4_096

/** Returns the record of a call, with the values of arguments that are named like secrets masked. */
export function recordOf(
  call: { readonly name: string; readonly arguments: string },
  more: Partial<CallRecord> = {},
): CallRecord {
  return { name: cut(call.name, 64), arguments: cut(masked(call.arguments), ARGUMENTS_MAX), ...more }
}

function masked(text: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return SECRET_NAME.test(text) ? '***' : text
  }
  if (!isObject(parsed)) return text
  return JSON.stringify(
    Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, SECRET_NAME.test(name) ? '***' : value])),
  )
}
