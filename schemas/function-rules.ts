import { isObject } from './is-object.js'
/** Checks a function before it becomes active. A function is an external API that agents may call. */

export interface FunctionDefinition {
  readonly endpoint: string
  /** JSON as text; empty when there are none. */
  readonly headers: string
  readonly body: string
  readonly parameters: readonly FunctionParameter[]
}

export interface FunctionParameter {
  readonly name?: string
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  /** Allowed values, between commas. */
  readonly enum?: string
  readonly minimum?: number
  readonly maximum?: number
}

export interface FunctionFindings {
  /** Placeholders without a parameter of that name, in the order in which they stand. */
  readonly undocumented: readonly string[]
  readonly hasHeaderError: boolean
  readonly hasBodyError: boolean
  /** Sentences about parameters. */
  readonly problems: readonly string[]
}

const TYPES = ['string', 'number', 'integer', 'boolean']
/** The spaces around a name are cut afterwards: a pattern that does it takes seconds for a few thousand of them. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

export function isSound({ undocumented, hasHeaderError, hasBodyError, problems }: FunctionFindings): boolean {
  return undocumented.length === 0 && !hasHeaderError && !hasBodyError && problems.length === 0
}

export function findInFunction({ endpoint, headers, body, parameters }: FunctionDefinition): FunctionFindings {
  const names = new Set(parameters.map(({ name }) => name))
  const used = [endpoint, headers, body].flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()),
  )
  return {
    undocumented: [...new Set(used)].filter((name) => !names.has(name)),
    hasHeaderError: headers !== '' && !isObjectOfTexts(headers),
    hasBodyError: body !== '' && !isObject(parsed(body)),
    problems: [...parameters.flatMap(problemsOf), ...doubled(parameters)],
  }
}

/** Whether it is an http or https URL, with placeholders in its path and query only. */
export function isEndpoint(text: string): boolean {
  if (/^https?:\/\/[^/?#]*\{\{/i.test(text)) return false
  const filled = text.replace(PLACEHOLDER, 'x')
  return /^https?:\/\/[^\s]+$/i.test(filled) && URL.canParse(filled)
}

function problemsOf(parameter: FunctionParameter, index: number): string[] {
  const { name, type, enum: values, minimum, maximum } = parameter
  const called = name ? `parameter ${name}` : `parameter ${index + 1}`
  const isNumeric = type === 'number' || type === 'integer'
  const found: string[] = []
  if (!name) found.push(`${called}: it has no name`)
  if (type === undefined || !TYPES.includes(type)) found.push(`${called}: type is none of ${TYPES.join(', ')}`)
  if (values !== undefined && type !== 'string') found.push(`${called}: only strings have an enum`)
  if (values?.split(',').some((value) => value.trim() === '')) found.push(`${called}: enum has an empty value`)
  if ((minimum !== undefined || maximum !== undefined) && !isNumeric)
    found.push(`${called}: only numbers have a minimum and a maximum`)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    found.push(`${called}: minimum is above maximum`)
  return found
}

function doubled(parameters: readonly FunctionParameter[]): string[] {
  const names = parameters.flatMap(({ name }) => name ?? [])
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `parameter ${name}: the name is taken twice`,
  )
}

function isObjectOfTexts(text: string): boolean {
  const value = parsed(text)
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
