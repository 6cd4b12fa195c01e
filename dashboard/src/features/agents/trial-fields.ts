/** Fields of the trial of a function: its parameters, and the values that the gateway fills in a conversation. */
import type { FunctionRecord } from '../../../../schemas/generated.js'

type Parameter = NonNullable<FunctionRecord['parameters']>[number]

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** Placeholders of the gateway begin so; those of parameters do not. */
const OF_GATEWAY = /^(chat|instance)\./

/** Returns the names of the placeholders that the gateway fills, each once. */
export function listFilledByGateway({ endpoint, headers = '', body = '' }: FunctionRecord): readonly string[] {
  const names = [endpoint, headers, body].flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()),
  )
  return [...new Set(names.filter((name) => OF_GATEWAY.test(name)))]
}

/** Returns the values that a string may have; none if it may have any. */
export function listAllowedValues({ type, enum: values = '' }: Parameter): readonly string[] {
  if (type === 'boolean') return ['true', 'false']
  return values
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** Returns the arguments as a model gives them. What is empty is left out. */
export function makeArguments(
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const pairs = parameters.flatMap(({ name = '', type }) => {
    const text = typed[name] ?? ''
    return text === '' ? [] : [[name, parseValue(type, text)] as const]
  })
  return Object.fromEntries(pairs)
}

/** A number that is none stays a text, so that the gateway says what is wrong with it. */
function parseValue(type: string | undefined, text: string): unknown {
  if (type === 'boolean') return text === 'true'
  if (type !== 'number' && type !== 'integer') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
