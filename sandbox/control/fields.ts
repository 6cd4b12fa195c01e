/** Reading fields of a control request's body. */
import { PhoneError } from '../phones/phone-error.js'

type Body = Record<string, unknown>

export function requiredText(body: Body, field: string): string {
  const value = body[field]
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  throw new PhoneError(400, `The field ${field} is missing.`)
}

export function optionalText(body: Body, field: string): string | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : String(value)
}

export function optionalNumber(body: Body, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const number = Number(value)
  if (Number.isNaN(number)) throw new PhoneError(400, `The field ${field} is not a number.`)
  return number
}

export function optionalFlag(body: Body, field: string): boolean | undefined {
  const value = body[field]
  return value === undefined || value === null ? undefined : value === true || value === 'true'
}

export function textList(body: Body, field: string): string[] {
  const value = body[field]
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}
