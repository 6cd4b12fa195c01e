import { isObject } from '../../lib/is-object.js'

// Bound: 1,048,576, a field of a request.

const SECRET_NAME = /api[-_ ]?key|apikey|token|secret|passw|senha|authori[sz]ation|bearer|credential/i

/** Returns arguments as JSON text, with the values of those that are named like secrets masked. */
export function maskedArguments(text: string): string {
  let parsed: unknown
  try {
    // Bound: 65,536, 5,000 values, the arguments of a call by a model.
    parsed = JSON.parse(text)
  } catch {
    return SECRET_NAME.test(text) ? '***' : text
  }
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(withoutSecrets(parsed)) : text
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, SECRET_NAME.test(name) ? '***' : withoutSecrets(one)]),
  )
}
