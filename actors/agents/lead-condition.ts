import type { LeadOperator, TriggerFields } from '../../schemas/agents/records.js'

/** So much of a field is compared. */
const COMPARED_LENGTH_MAX = 1_000

/** Fields of a chat record, in lower case. They are prepared once for all triggers that look at them. */
export class LeadTexts {
  readonly #record: Readonly<Record<string, unknown>>
  readonly #texts = new Map<string, string>()

  constructor(record: Readonly<Record<string, unknown>>) {
    this.#record = record
  }

  of(field: string): string {
    const known = this.#texts.get(field)
    if (known !== undefined) return known
    const value = this.#record[field]
    const text = plain(value === undefined || value === null ? '' : String(value).slice(0, COMPARED_LENGTH_MAX))
    this.#texts.set(field, text)
    return text
  }
}

/** The condition of a trigger on the fields of a lead. */
export class LeadCondition {
  readonly #field: string
  readonly #operator: LeadOperator
  readonly #value: string
  readonly #search: TextSearch

  constructor({ leadField, leadOperator, leadValue }: Pick<TriggerFields, 'leadField' | 'leadOperator' | 'leadValue'>) {
    this.#field = leadField
    this.#operator = leadOperator
    this.#value = plain(leadValue)
    this.#search = new TextSearch(this.#value)
  }

  holds(lead: LeadTexts): boolean {
    if (this.#field === '') return true
    const text = lead.of(this.#field)
    switch (this.#operator) {
      case 'equals':
        return this.#isEqual(text)
      case 'not_equals':
        return !this.#isEqual(text)
      case 'contains':
        return this.#isIn(text)
      case 'not_contains':
        return !this.#isIn(text)
      case 'greater':
        return compare(text, this.#value) > 0
      case 'less':
        return compare(text, this.#value) < 0
      case 'empty':
        return text === ''
      case 'not_empty':
        return text !== ''
    }
  }

  /** Tags are compared one by one. */
  #isEqual(text: string): boolean {
    if (this.#field !== 'lead_tags') return text === this.#value
    return text === '' ? this.#value === '' : text.split(',').some((tag) => tag.trim() === this.#value)
  }

  #isIn(text: string): boolean {
    return this.#field === 'lead_tags' ? this.#isEqual(text) : this.#search.isIn(text)
  }
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}

/** Compares two numbers, or two dates as in 2026-01-31. Returns NaN for anything else, of which neither is greater. */
function compare(one: string, other: string): number {
  const numbers = [one, other].map((text) => (text === '' ? Number.NaN : Number(text)))
  const isDate = (text: string) => /^\d{4}-\d\d-\d\d/.test(text)
  const [a = Number.NaN, b = Number.NaN] = numbers.some(Number.isNaN)
    ? [one, other].map((text) => (isDate(text) ? Date.parse(text.toUpperCase()) : Number.NaN))
    : numbers
  return a - b
}

/**
 * Finds a text in another in a time that grows with the sum of their lengths (Knuth, Morris and Pratt). `includes` takes their product for
 * texts that a tenant has chosen for that.
 */
class TextSearch {
  /** Character codes, which are compared faster than texts. */
  readonly #wanted: Uint16Array
  /** For each place, the length of the longest beginning that ends there too. */
  readonly #borders: Int32Array

  constructor(wanted: string) {
    this.#wanted = new Uint16Array(wanted.length)
    for (let place = 0; place < wanted.length; place += 1) this.#wanted[place] = wanted.charCodeAt(place)
    this.#borders = new Int32Array(wanted.length)
    for (let place = 1, length = 0; place < wanted.length; place += 1) {
      length = this.#advance(length, wanted.charCodeAt(place))
      this.#borders[place] = length
    }
  }

  isIn(text: string): boolean {
    if (this.#wanted.length === 0) return true
    let length = 0
    for (let place = 0; place < text.length; place += 1) {
      length = this.#advance(length, text.charCodeAt(place))
      if (length === this.#wanted.length) return true
    }
    return false
  }

  #advance(from: number, code: number): number {
    let length = from
    while (length > 0 && this.#wanted[length] !== code) length = this.#borders[length - 1] ?? 0
    return this.#wanted[length] === code ? length + 1 : length
  }
}
