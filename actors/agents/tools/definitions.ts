/** Makes the tools of a model from the functions of an instance. */

import { cut } from '../../../lib/cut.js'
import { isObject } from '../../../lib/is-object.js'
import type { ModelTool } from '../../../schemas/agents/models.js'
import { isReserved } from '../../../schemas/agents/reserved-placeholders.js'
import type { ToolChoice } from '../../../schemas/agents/tools.js'
import { FUNCTION_PLACEHOLDER, type FunctionParameter, PARAMETER_TYPES } from '../../../schemas/function-rules.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import { BUILT_IN_NAMES } from './built-in.js'

// Bound: 65,536, an answer, an argument or a text of a message.

/** A function as a model sees it. */
export interface FunctionTool {
  readonly model: ModelTool
  readonly row: FunctionRow
  readonly parameters: readonly ToolParameter[]
}

export interface ToolParameter {
  readonly definition: FunctionParameter
  /** Its name for the model. */
  readonly name: string
  readonly isRequired: boolean
}

/** OpenAI refuses more than 128 tools. */
const TOOLS_MAX = 128 - BUILT_IN_NAMES.length
/** OpenAI refuses a longer description of a tool. */
const DESCRIPTION_MAX = 1_024
const NAME_MAX = 64

/** Returns the active functions that the agent may call, the oldest first, and sentences about those that are left out. */
export function functionTools(
  functions: readonly FunctionRow[],
  chosen: ToolChoice['functions'],
): { readonly tools: readonly FunctionTool[]; readonly warnings: readonly string[] } {
  const names = new Set<string>(BUILT_IN_NAMES)
  const active = functions.filter(
    ({ active, id, name }) => active && (chosen === null || chosen.includes(id) || chosen.includes(name)),
  )
  const tools = active.slice(0, TOOLS_MAX).map((row) => functionTool(row, unique(toolName(row.name), names)))
  const left = active.length - tools.length
  const warnings =
    left === 0
      ? []
      : [`The model gets the oldest ${TOOLS_MAX} functions; ${left} are left out. Give the agent a list of functions.`]
  return { tools, warnings }
}

function functionTool(row: FunctionRow, name: string): FunctionTool {
  const inPath = namesInPath(row.endpoint)
  const names = new Set<string>()
  const parameters = row.parameters.flatMap((definition): ToolParameter[] => {
    if (!isUsable(definition)) return []
    const isRequired = definition.required === true || inPath.has(definition.name)
    return [{ definition, name: unique(parameterName(definition.name), names), isRequired }]
  })
  const description = cut(row.description || `Calls the function ${row.name}.`, DESCRIPTION_MAX)
  return { model: { name, description, parameters: makeSchema(parameters) }, row, parameters }
}

/** A row that was imported may hold anything. */
function isUsable(definition: unknown): definition is FunctionParameter & { readonly name: string } {
  if (!isObject(definition)) return false
  const { name, type, description = '', enum: values = '' } = definition
  return (
    typeof name === 'string' &&
    name !== '' &&
    !isReserved(name) &&
    PARAMETER_TYPES.includes(type as string) &&
    typeof description === 'string' &&
    typeof values === 'string' &&
    [definition.minimum, definition.maximum].every((limit) => limit === undefined || Number.isFinite(limit))
  )
}

/** A path without one of its parts leads elsewhere, so a parameter in it is required. */
function namesInPath(endpoint: string): ReadonlySet<string> {
  const [path = ''] = endpoint.split(/[?#]/)
  return new Set([...path.matchAll(FUNCTION_PLACEHOLDER)].map(([, name = '']) => name.trim()))
}

/** The part of JSON Schema that all providers take. Limits of numbers are not in it: they stand in the description, and are checked here. */
function makeSchema(parameters: readonly ToolParameter[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, describeProperty(parameter)])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  }
}

function describeProperty({ definition }: ToolParameter): object {
  const { type = 'string', description = '', minimum, maximum } = definition
  const values = parseEnum(definition)
  const text = [
    description.trim(),
    ...(minimum === undefined ? [] : [`Minimum: ${minimum}.`]),
    ...(maximum === undefined ? [] : [`Maximum: ${maximum}.`]),
  ]
    .filter((part) => part !== '')
    .join(' ')
  return { type, ...(text === '' ? {} : { description: text }), ...(values === null ? {} : { enum: values }) }
}

/** Returns the allowed values of a parameter, or null if all are. */
export function parseEnum({ type, enum: values }: FunctionParameter): readonly string[] | null {
  if (type !== 'string' || values === undefined || values.trim() === '') return null
  return [...new Set(values.split(',').map((value) => value.trim()))].filter((value) => value !== '')
}

/** Gemini wants a letter or `_` at the beginning. */
function toolName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `f_${plain}`
}

/** Anthropic takes letters, digits, `_`, `.` and `-`. A name that every object has would count as given. */
function parameterName(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(plain) && !(plain in Object.prototype) ? plain : `p_${plain}`
}

function unique(name: string, taken: Set<string>): string {
  let found = name.slice(0, NAME_MAX)
  for (let number = 2; taken.has(found); number += 1) found = `${name.slice(0, NAME_MAX - 5)}_${number}`
  taken.add(found)
  return found
}
