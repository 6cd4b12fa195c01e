import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { packageRoot } from '../../lib/package-root.js'

/** Reads values by type. Throws when the schema does not have the name, or has it with another type: a mistake in our code. */
export interface SettingReader {
  text(name: string): string
  optionalText(name: string): string | undefined
  list(name: string): readonly string[]
  number(name: string): number
  optionalNumber(name: string): number | undefined
  flag(name: string): boolean
}

export function createSettingReader(values: Readonly<Record<string, SettingValue>>): SettingReader {
  function read<T extends SettingValue>(name: string, type: string): T | undefined {
    if (!settings.has(name)) throw new Error(`${name} is not in schemas/configuration.json`)
    const value = values[name]
    if (value !== undefined && typeof value !== type) throw new Error(`${name} is not a ${type}`)
    return value as T | undefined
  }
  function required<T extends SettingValue>(name: string, type: string): T {
    const value = read<T>(name, type)
    if (value === undefined) throw new Error(`${name} has no default in schemas/configuration.json`)
    return value
  }
  // Ours: settings.
  return {
    text: (name) => required<string>(name, 'string'),
    optionalText: (name) => read<string>(name, 'string'),
    list: (name) =>
      required<string>(name, 'string')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    number: (name) => required<number>(name, 'number'),
    optionalNumber: (name) => read<number>(name, 'number'),
    flag: (name) => required<boolean>(name, 'boolean'),
  }
}

export function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(file)
}

/** Checks an environment against the schema of the configuration, `schemas/configuration.json`. */
export interface Setting {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly default?: string | number | boolean
  readonly unit?: string
  /** The slice of `Config` that it belongs to. */
  readonly slice: string
  /** True for a value that must never be shown or logged. */
  readonly secret?: boolean
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly description: string
}

export type SettingValue = string | number | boolean

// Ours: settings of the operator.
const schema = JSON.parse(readFileSync(path.join(packageRoot, 'schemas', 'configuration.json'), 'utf8')) as {
  readonly properties: Readonly<Record<string, Setting>>
}

/** All settings, in the order of the schema. */
export const settings: ReadonlyMap<string, Setting> = new Map(Object.entries(schema.properties))

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: true,
  strict: true,
  // A test holds it against the schema of schemas. It is used once: both would cost more than they give.
  validateSchema: false,
  code: { optimize: false },
})
ajv.addVocabulary(['unit', 'slice', 'secret'])

/** Returns the typed values with their defaults, and a sentence for each value that does not fit. */
export function checkSettings(given: Readonly<Record<string, string>>): {
  values: Readonly<Record<string, SettingValue>>
  mistakes: string[]
} {
  const values: Record<string, SettingValue> = { ...given }
  // To compile all of them, rather than those that are given, is a sixth of what the start of a node costs.
  const properties = Object.fromEntries([...settings].filter(([name]) => given[name] !== undefined))
  const validate = ajv.compile({ type: 'object', properties, additionalProperties: false })
  const mistakes = validate(values) ? [] : (validate.errors ?? []).map((error) => mistakeSentence(error, given))
  for (const [name, { default: value }] of settings) if (value !== undefined) values[name] ??= value
  return { values, mistakes }
}

function mistakeSentence(error: ErrorObject, given: Readonly<Record<string, string>>): string {
  const name = error.instancePath.slice(1)
  const setting = settings.get(name)
  const value = setting?.secret ? 'its value' : JSON.stringify(given[name])
  return `${name}: ${value} ${expectation(error, setting)}.`
}

function expectation(error: ErrorObject, setting: Setting | undefined): string {
  const unit = setting?.unit === undefined ? '' : ` (${setting.unit})`
  switch (error.keyword) {
    case 'type':
      return setting?.type === 'boolean' ? 'must be true or false' : `must be a whole number${unit}`
    case 'enum':
      return `must be one of ${setting?.enum?.join(', ')}`
    case 'minimum':
    case 'maximum':
      return `must be between ${setting?.minimum} and ${setting?.maximum}${unit}`
    case 'pattern':
      // Ours: settings of the operator.
      return `has an invalid format. Expected: ${setting?.description.replace(/\.$/, '')}`
    default:
      return error.message ?? 'is invalid'
  }
}
