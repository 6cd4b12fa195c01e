import type { LeadOperator, TriggerFields } from '../../schemas/agents/records.js'
import { FieldSearch, type FieldVerdict } from './matching/field-search.js'

// Bound: 65,536, an answer, an argument or a text of a message.

type Condition = Pick<TriggerFields, 'leadField' | 'leadOperator' | 'leadValue'>

/** So much of a field is compared. */
const COMPARED_LENGTH_MAX = 1_000
/** So much of all fields that conditions search for a text in. */
const SEARCHED_LENGTH_MAX = 2_000
/** Longer texts are neither numbers nor dates. */
const NUMBER_LENGTH_MAX = 64
const TAGS = 'lead_tags'

const SEARCHING: ReadonlySet<LeadOperator> = new Set<LeadOperator>(['contains', 'not_contains'])
const WITHOUT_VALUE: ReadonlySet<LeadOperator> = new Set<LeadOperator>(['empty', 'not_empty'])

/** The value with which one operator compares. */
interface Prepared {
  readonly field: string
  readonly operator: LeadOperator
  readonly amount: Amount
}

/** The conditions of the triggers of an instance on the fields of a lead. The place of a condition in the list is its owner. */
export class LeadConditions {
  readonly #conditions: readonly Prepared[]
  readonly #searches = new Map<string, FieldSearch>()

  constructor(conditions: readonly Condition[]) {
    this.#conditions = conditions.map(({ leadField: field, leadOperator: operator, leadValue }) => {
      return { field, operator, amount: parseAmount(leadValue.trim()) }
    })
    const searched = new Set(conditions.filter(isSearch).map(({ leadField }) => leadField)).size
    const lengthMax = Math.min(COMPARED_LENGTH_MAX, Math.floor(SEARCHED_LENGTH_MAX / Math.max(searched, 1)))
    for (const field of new Set(conditions.map(({ leadField }) => leadField))) {
      const values = conditions.flatMap((condition, owner) => {
        if (condition.leadField !== field || WITHOUT_VALUE.has(condition.leadOperator)) return []
        return [{ owner, value: condition.leadValue.trim(), isSearched: isSearch(condition) }]
      })
      this.#searches.set(field, new FieldSearch(values, conditions.length, { lengthMax, isList: field === TAGS }))
    }
  }

  /** Reads the fields of a lead, each when a condition first asks for it. */
  of(record: Readonly<Record<string, unknown>>): LeadVerdicts {
    return new LeadVerdicts(this.#conditions, this.#searches, record)
  }
}

/** Tells which conditions a lead fulfils. */
export class LeadVerdicts {
  readonly #conditions: readonly Prepared[]
  readonly #searches: ReadonlyMap<string, FieldSearch>
  readonly #record: Readonly<Record<string, unknown>>
  readonly #texts = new Map<string, string>()
  readonly #verdicts = new Map<string, FieldVerdict>()
  readonly #amounts = new Map<string, Amount>()

  constructor(
    conditions: readonly Prepared[],
    searches: ReadonlyMap<string, FieldSearch>,
    record: Readonly<Record<string, unknown>>,
  ) {
    this.#conditions = conditions
    this.#searches = searches
    this.#record = record
  }

  holds(owner: number): boolean {
    const { field, operator, amount } = this.#conditions[owner] as Prepared
    if (field === '') return true
    switch (operator) {
      case 'equals':
        return this.#findVerdict(field).equal.has(owner)
      case 'not_equals':
        return !this.#findVerdict(field).equal.has(owner)
      case 'contains':
        return this.#isIn(field, owner)
      case 'not_contains':
        return !this.#isIn(field, owner)
      case 'greater':
        return compareAmounts(this.#findAmount(field), amount) > 0
      case 'less':
        return compareAmounts(this.#findAmount(field), amount) < 0
      case 'empty':
        return this.#readText(field) === ''
      case 'not_empty':
        return this.#readText(field) !== ''
    }
  }

  /** Tags are compared one by one. */
  #isIn(field: string, owner: number): boolean {
    const { equal, found } = this.#findVerdict(field)
    return field === TAGS ? equal.has(owner) : found.has(owner)
  }

  #readText(field: string): string {
    const known = this.#texts.get(field)
    if (known !== undefined) return known
    const value = this.#record[field]
    const text = value === undefined || value === null ? '' : String(value).slice(0, COMPARED_LENGTH_MAX).trim()
    this.#texts.set(field, text)
    return text
  }

  #findVerdict(field: string): FieldVerdict {
    const known = this.#verdicts.get(field)
    if (known !== undefined) return known
    const verdict = (this.#searches.get(field) as FieldSearch).searchFields(this.#readText(field))
    this.#verdicts.set(field, verdict)
    return verdict
  }

  #findAmount(field: string): Amount {
    const known = this.#amounts.get(field)
    if (known !== undefined) return known
    const amount = parseAmount(this.#readText(field))
    this.#amounts.set(field, amount)
    return amount
  }
}

function isSearch({ leadField, leadOperator }: Condition): boolean {
  return leadField !== TAGS && SEARCHING.has(leadOperator)
}

/** A text as a number and as an instant of a date, as in 2026-01-31; NaN where it is none. */
interface Amount {
  readonly number: number
  readonly date: number
}

function parseAmount(text: string): Amount {
  if (text === '' || text.length > NUMBER_LENGTH_MAX) return { number: Number.NaN, date: Number.NaN }
  const isDate = /^\d{4}-\d\d-\d\d/.test(text)
  return { number: Number(text.toLowerCase()), date: isDate ? Date.parse(text.toUpperCase()) : Number.NaN }
}

/** Compares two numbers, or two dates. Returns NaN for anything else, of which neither is greater. */
function compareAmounts(one: Amount, other: Amount): number {
  const areNumbers = !Number.isNaN(one.number) && !Number.isNaN(other.number)
  return areNumbers ? one.number - other.number : one.date - other.date
}
