/** Checks the arguments that a model wrote against the definition of its tool. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { cut } from '../../../lib/cut.js'
import { isObject } from '../../../lib/is-object.js'
import { parseEnum, type ToolParameter } from './definitions.js'

// Bound: 65,536, an answer, an argument or a text of a message.

export type ArgumentValue = string | number | boolean

export type CheckedArguments =
  /** By the names of the definition. Absent optional ones are left out. */
  | { readonly isValid: true; readonly values: ReadonlyMap<string, ArgumentValue> }
  /** A text that tells the model what to correct. */
  | { readonly isValid: false; readonly text: string }

const LENGTH_MAX = 32_768
const ERRORS_MAX = 10
const AGAIN = 'Correct this and call the function again.'

/** Compiled checks by their schema, which the same function has in each turn. */
const validators = new LRUCache<string, ValidateFunction>({
  max: 200,
  maxSize: 2 ** 21,
  sizeCalculation: (_, key) => key.length,
})

export function checkArguments(text: string, parameters: readonly ToolParameter[]): CheckedArguments {
  if (text.length > LENGTH_MAX) return invalid(`The arguments are longer than ${LENGTH_MAX} characters. Shorten them.`)
  // Some models write nothing where there is nothing to say.
  const parsed = text.trim() === '' ? {} : parsedJson(text)
  if (!isObject(parsed)) return invalid(`The arguments are not one valid JSON object. ${AGAIN}`)
  const problems: string[] = []
  const given = prepared(parsed, parameters, problems)
  const validate = compileValidator(parameters)
  if (!validate(given)) for (const error of validate.errors ?? []) problems.push(sentence(error))
  if (problems.length > 0)
    return invalid(`The arguments are wrong: ${[...new Set(problems)].slice(0, ERRORS_MAX).join('; ')}. ${AGAIN}`)
  const values = new Map<string, ArgumentValue>()
  for (const { name, definition } of parameters)
    if (Object.hasOwn(given, name)) values.set(definition.name ?? name, given[name] as ArgumentValue)
  return { isValid: true, values }
}

function invalid(text: string): CheckedArguments {
  return { isValid: false, text }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A copy without nulls, which models write for what they leave out, and with values that were only written in another type. */
function prepared(
  parsed: Record<string, unknown>,
  parameters: readonly ToolParameter[],
  problems: string[],
): Record<string, unknown> {
  const types = new Map(parameters.map(({ name, definition }) => [name, definition.type]))
  const entries = Object.entries(parsed).flatMap(([name, value]): [string, unknown][] => {
    if (value === null && types.has(name)) return []
    const type = types.get(name)
    if (type === 'string' && typeof value === 'number' && !isExact(value))
      problems.push(`${shown(name)} must be a string: as a number it loses digits`)
    return [[name, converted(value, type)]]
  })
  // Defines own properties, `__proto__` too.
  return Object.fromEntries(entries)
}

/** JSON numbers beyond this are rounded when they are read. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : true
}

function converted(value: unknown, type: string | undefined): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return value
}

function compileValidator(parameters: readonly ToolParameter[]): ValidateFunction {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, toProperty(parameter)])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known !== undefined) return known
  // One Ajv a schema: an Ajv keeps all that it has compiled.
  const validate = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, strictNumbers: true }).compile(
    schema,
  )
  validators.set(key, validate)
  return validate
}

function toProperty({ definition }: ToolParameter): object {
  const { type = 'string', minimum, maximum } = definition
  const values = parseEnum(definition)
  return {
    type,
    ...(values === null ? {} : { enum: values }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }
}

function sentence({ keyword, params, instancePath }: ErrorObject): string {
  const name = shown(instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'))
  switch (keyword) {
    case 'required':
      return `${shown(String(params.missingProperty))} is missing`
    case 'additionalProperties':
      return `${shown(String(params.additionalProperty))} is not a parameter`
    case 'type':
      return `${name} must be ${params.type === 'integer' ? 'a whole number' : `a ${String(params.type)}`}`
    case 'enum':
      return `${name} must be one of ${(params.allowedValues as string[]).slice(0, 50).map(shown).join(', ')}`
    case 'minimum':
      return `${name} must be at least ${String(params.limit)}`
    case 'maximum':
      return `${name} must be at most ${String(params.limit)}`
    default:
      return `${name} is not allowed`
  }
}

function shown(name: string): string {
  return JSON.stringify(cut(name, 64))
}
