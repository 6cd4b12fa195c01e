import path from 'node:path'
import { type SettingValue, settings } from './schema.js'

// Ours: settings.

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
