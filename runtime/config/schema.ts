/** Checks an environment against the schema of the configuration, `schemas/configuration.json`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { packageRoot } from '../../lib/package-root.js'

// Ours: settings of the operator.

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
      return `has an invalid format. Expected: ${setting?.description.replace(/\.$/, '')}`
    default:
      return error.message ?? 'is invalid'
  }
}
