/** Reads the environment, checks it against one schema, and returns one frozen object. Nothing else reads settings. */
import { OperatorError } from '../schemas/operator-error.js'
import { contradictions } from './config/mistakes.js'
import { unknownNames } from './config/names.js'
import { createReader } from './config/reader.js'
import { checkSettings, settings } from './config/schema.js'
import { type Config, readSlices } from './config/slices.js'

export type { Config } from './config/slices.js'

/** Holds all mistakes of an environment, a sentence each. */
export class ConfigError extends OperatorError {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length === 1 ? 'a mistake' : 'mistakes'}:\n  ${mistakes.join('\n  ')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/**
 * Returns the configuration of `environment`. A variable that is missing or empty has its default.
 * Reads no files but the certificates and keys that it names, and makes none.
 * @throws ConfigError with every mistake at once
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const names = [...settings.keys()]
  const given: Record<string, string> = {}
  for (const name of names) {
    const value = environment[name]?.trim()
    if (value !== undefined && value !== '') given[name] = value
  }
  const { values, mistakes } = checkSettings(given)
  const set = Object.keys(environment).filter((name) => environment[name] !== '')
  mistakes.push(...unknownNames(set, names))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const config = readSlices(createReader(values))
  mistakes.push(...contradictions(values, config))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return deepFreeze(config)
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(value)
}
