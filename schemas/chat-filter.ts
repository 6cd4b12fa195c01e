/**
 * The values of filters in a search over chats. A value may begin with an operator; what follows is read by the type of the field:
 * - text: contains is without regard to case; the comparisons are in the order of the characters' codes. In fields with numbers, one that
 *   people write is read as in all other operations
 * - number: contains looks into the digits; `=` before a number means equal
 * - boolean: contains is equal; false is before true
 * - list: contains is to have as an element, or all of a list; an empty list means one that is empty; there are no comparisons
 * - time: contains looks into the text of the record (`2026-11-21 10:00:00.000`), comparisons take any beginning of it
 */

import { findNearest } from '../lib/nearest.js'
import { type ChatFieldType, chatFields } from './chat-fields.js'
import { GatewayError } from './errors.js'
import { readPhoneNumber } from './phone-number.js'
import { searchedDigits } from './searched-numbers.js'

// Bound: 1,048,576, a field of a request.

export type FilterOperator = 'contains' | 'notContains' | 'equal' | 'different' | '>=' | '>' | '<=' | '<'

export type ChatFilter =
  | {
      readonly type: 'text'
      readonly field: string
      readonly operator: FilterOperator
      readonly value: string
      /** Digits of the number that `value` means: the field contains one of them. */
      readonly digits?: readonly string[]
    }
  | { readonly type: 'number'; readonly field: string; readonly operator: FilterOperator; readonly value: string }
  | {
      readonly type: 'boolean'
      readonly field: string
      readonly operator: Exclude<FilterOperator, 'contains' | 'notContains'>
      readonly value: boolean
    }
  | {
      readonly type: 'list'
      readonly field: string
      readonly operator: 'contains' | 'notContains' | 'different'
      readonly value: readonly string[]
    }
  /** `value`: for comparisons a whole time in UTC, else a part of its text. */
  | { readonly type: 'time'; readonly field: string; readonly operator: FilterOperator; readonly value: string }

export interface ChatSort {
  readonly field: string
  readonly isDescending: boolean
}

// The longer ones first.
const PREFIXES: readonly (readonly [string, FilterOperator])[] = [
  ['!~', 'notContains'],
  ['!=', 'different'],
  ['>=', '>='],
  ['<=', '<='],
  ['~', 'contains'],
  ['>', '>'],
  ['<', '<'],
]

/** Fields with numbers, and how these write a whole one. */
const NUMBER_FIELDS: ReadonlyMap<string, (digits: string) => string> = new Map([
  ['phone', (digits) => `+${digits}`],
  ['owner', (digits) => digits],
  ['wa_chatid', (digits) => `${digits}@s.whatsapp.net`],
  ['wa_lastMessageSender', (digits) => `${digits}@s.whatsapp.net`],
])

/**
 * @param country ISO code of the country whose national numbers are taken; empty: none are
 * @throws GatewayError INVALID_REQUEST naming the field
 */
export function parseChatFilter(field: string, given: unknown, country = ''): ChatFilter {
  const type = Object.hasOwn(chatFields, field) ? chatFields[field] : undefined
  if (type === undefined) {
    const nearest = findNearest(field, Object.keys(chatFields))
    throw invalid(field, `is not a field of a chat${nearest === undefined ? '' : `; did you mean ${nearest}?`}`)
  }
  if (Array.isArray(given)) {
    if (type !== 'list') throw invalid(field, 'must not be an array')
    return { type, field, operator: 'contains', value: given.map(String) }
  }
  const { operator, text } = split(String(given))
  const filter = read(field, type, operator, text)
  return filter.type === 'text' ? withDigits(filter, country) : filter
}

/** `+field` or `-field`; without a sign as with `+`. @throws GatewayError INVALID_REQUEST */
export function parseChatSort(given: string): ChatSort {
  const field = given.replace(/^[+-]/, '')
  const known = Object.hasOwn(chatFields, field)
    ? field
    : Object.keys(chatFields).find((one) => one.toLowerCase() === field.toLowerCase())
  if (known === undefined) throw invalid('sort', 'is not + or - and a field of a chat')
  return { field: known, isDescending: given.startsWith('-') }
}

function split(given: string): { operator: FilterOperator | null; text: string } {
  const found = PREFIXES.find(([prefix]) => given.startsWith(prefix))
  return found === undefined
    ? { operator: null, text: given }
    : { operator: found[1], text: given.slice(found[0].length) }
}

function read(field: string, type: ChatFieldType, operator: FilterOperator | null, text: string): ChatFilter {
  switch (type) {
    case 'text':
      return { type, field, operator: operator ?? 'contains', value: text }
    case 'number':
      return readNumber(field, operator, text.trim())
    case 'boolean':
      return { type, field, operator: booleanOperator(operator), value: parseBoolean(field, text) }
    case 'list':
      if (operator === null || operator === 'contains' || operator === 'notContains' || operator === 'different')
        return { type, field, operator: operator ?? 'contains', value: parseList(field, text) }
      throw invalid(field, 'is a list, which takes only the operators ~, !~ and !=')
    case 'time':
      return readTime(field, operator ?? 'contains', text.trim())
    default:
      return neverType(type)
  }
}

type TextFilter = Extract<ChatFilter, { type: 'text' }>

/** A JID stays as it is: it names one chat. */
function withDigits(filter: TextFilter, country: string): TextFilter {
  const { field, operator, value } = filter
  const written = NUMBER_FIELDS.get(field)
  if (written === undefined || value.includes('@')) return filter
  const digits = searchedDigits(value, country)
  if (digits.length === 0) return filter
  if (operator === 'contains' || operator === 'notContains') return { ...filter, digits }
  const whole = readPhoneNumber(value, country)
  return operator === 'different' && 'digits' in whole ? { ...filter, value: written(whole.digits) } : filter
}

function readNumber(field: string, operator: FilterOperator | null, text: string): ChatFilter {
  // A text may begin with this sign, a number does not.
  const isEqual = operator === null && text.startsWith('=')
  const value = isEqual ? text.slice(1).trim() : text
  if (!/^-?\d{1,30}(\.\d{1,30})?$/.test(value)) throw invalid(field, 'is not an operator and a number')
  return { type: 'number', field, operator: isEqual ? 'equal' : (operator ?? 'contains'), value }
}

function booleanOperator(operator: FilterOperator | null): Exclude<FilterOperator, 'contains' | 'notContains'> {
  if (operator === null || operator === 'contains') return 'equal'
  return operator === 'notContains' ? 'different' : operator
}

function parseBoolean(field: string, text: string): boolean {
  switch (text.trim().toLowerCase()) {
    case 'true':
    case '1':
      return true
    case 'false':
    case '0':
      return false
    default:
      throw invalid(field, 'is not an operator and true or false')
  }
}

function parseList(field: string, text: string): readonly string[] {
  if (!text.startsWith('[')) return text === '' ? [] : [text]
  try {
    // Bound: 16,384, a filter.
    const list = JSON.parse(text) as unknown
    if (Array.isArray(list) && list.every((one) => typeof one === 'string' || typeof one === 'number'))
      return list.map(String)
  } catch {
    // Told below.
  }
  throw invalid(field, 'is not a list of texts')
}

const TIME = /^\d{4}(-\d{2}(-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?)?)?$/

function readTime(field: string, operator: FilterOperator, text: string): ChatFilter {
  if (operator === 'contains' || operator === 'notContains') return { type: 'time', field, operator, value: text }
  const isTime = TIME.test(text)
  const day = text.slice(0, 10)
  const whole = new Date(
    isTime ? `${day}${'-01-01'.slice(day.length - 4)}T${text.slice(11).replace('Z', '') || '00:00'}Z` : '',
  )
  if (Number.isNaN(whole.getTime()) || !whole.toISOString().startsWith(day))
    throw invalid(field, 'is not an operator and a time (YYYY-MM-DD HH:MM:SS.FFF)')
  return { type: 'time', field, operator, value: whole.toISOString() }
}

function invalid(field: string, why: string): GatewayError {
  const name = field.slice(0, 100)
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${name} ${why}${why.endsWith('?') ? '' : '.'}`,
    details: [{ field: name, why }],
  })
}

function neverType(type: never): never {
  throw new Error(`An unknown type of field: ${String(type)}`)
}
