/** Makes the recipients of a campaign from the rows of a list, and counts what does not fit. */
import { readNumberText } from '../../../../schemas/number-text.js'
import type { ReadList } from './read-list.js'

/** Meaning of a column. */
export type ColumnRole = 'number' | 'name' | 'timezone' | 'field' | 'leave'

export interface ColumnChoice {
  readonly role: ColumnRole
  /** Name of the placeholder, for a field. */
  readonly name: string
}

export interface ListMapping {
  readonly columns: readonly ColumnChoice[]
  /** Digits that are put before numbers without a country code; empty: none. */
  readonly countryCode: string
  /** True if the instance has a country: the gateway reads its national numbers. */
  readonly hasCountry?: boolean
}

export interface RowProblem {
  readonly line: number
  readonly value: string
}

export interface BuiltList {
  /** A JSON object in each line, as the import takes it. */
  readonly lines: readonly string[]
  readonly rows: number
  readonly good: number
  readonly wrong: number
  /** Rows whose number stands before them. */
  readonly doubles: number
  /** First rows without a number that can be right. */
  readonly problems: readonly RowProblem[]
  /** Values of placeholders of the first recipients. */
  readonly samples: readonly Readonly<Record<string, string>>[]
}

const PROBLEMS_MAX = 20
const FIELD_NAME_MAX = 60
export const SAMPLES_MAX = 50
/** Number of digits from which a number surely has its country code. */
const WITH_COUNTRY = 12

const ROLES: Readonly<Record<string, ColumnRole>> = {
  number: 'number',
  numero: 'number',
  phone: 'number',
  telefone: 'number',
  telefono: 'number',
  celular: 'number',
  whatsapp: 'number',
  name: 'name',
  nome: 'name',
  nombre: 'name',
  timezone: 'timezone',
}

/** Returns what each column probably is, by its name, or by what it holds if no name says which has the numbers. */
export function guessMapping({ columns, rows }: ReadList): readonly ColumnChoice[] {
  const taken = new Set<ColumnRole>()
  const byName = columns.map((column): ColumnChoice => {
    const role = ROLES[simplify(column)]
    if (role === undefined || taken.has(role)) return { role: 'field', name: makeFieldName(column) }
    taken.add(role)
    return { role, name: column }
  })
  if (taken.has('number')) return byName
  const place = columns.findIndex((_, column) =>
    rows.slice(0, 20).some((row) => readNumber(row[column] ?? '', '') !== null),
  )
  return byName.map((choice, column) => (column === place ? { ...choice, role: 'number' } : choice))
}

/** Returns what the gateway takes as the name of a placeholder. */
export function makeFieldName(text: string): string {
  return text.replace(/[{}]/g, '').slice(0, FIELD_NAME_MAX)
}

export function buildList(list: ReadList, { columns, countryCode, hasCountry }: ListMapping): BuiltList {
  const lines: string[] = []
  const problems: RowProblem[] = []
  const samples: Record<string, string>[] = []
  const seen = new Set<string>()
  let [wrong, doubles] = [0, 0]
  list.rows.forEach((row, index) => {
    const values = collectValues(row, columns)
    const typed = values.number ?? ''
    const number = readNumber(typed, countryCode, hasCountry)
    if (number === null) {
      wrong += 1
      if (problems.length < PROBLEMS_MAX) problems.push({ line: index + list.firstLine, value: typed.slice(0, 60) })
      return
    }
    const person = dropNinthDigit(number)
    if (seen.has(person)) doubles += 1
    seen.add(person)
    const recipient = { ...values, number }
    lines.push(JSON.stringify(recipient))
    if (samples.length < SAMPLES_MAX) samples.push(recipient)
  })
  return { lines, rows: list.rows.length, good: lines.length, wrong, doubles, problems, samples }
}

function collectValues(row: readonly string[], columns: readonly ColumnChoice[]): Record<string, string> {
  const values: Record<string, string> = {}
  columns.forEach(({ role, name }, place) => {
    const value = row[place] ?? ''
    if (role === 'leave') return
    if (role === 'field') {
      if (name.trim() !== '' && name.trim() !== 'number') values[name.trim()] = value
    } else if (role !== 'timezone' || value !== '') values[role] = value
  })
  return values
}

/** Returns the digits of a number, after + if its country is sure, or the address; null if it is none. */
export function readNumber(typed: string, countryCode: string, hasCountry = false): string | null {
  const text = typed.trim()
  if (/^[\d:.-]{5,41}@(s\.whatsapp\.net|lid|g\.us|newsletter)$/.test(text)) return text
  const read = readNumberText(text)
  if ('why' in read) return null
  const { digits, isInternational } = read
  if (isInternational) return checkNumber(digits, '+')
  if (countryCode === '' && hasCountry) return /^\d{6,15}$/.test(digits) ? digits : null
  if (countryCode === '' || digits.length >= WITH_COUNTRY) return checkNumber(digits, '')
  return checkNumber(`${countryCode}${digits.replace(/^0/, '')}`, '+')
}

function checkNumber(digits: string, start: '' | '+'): string | null {
  return /^[1-9]\d{7,14}$/.test(digits) ? `${start}${digits}` : null
}

/** Mobile numbers of Brazil are one person with and without the ninth digit. */
function dropNinthDigit(number: string): string {
  return number.replace(/^\+/, '').replace(/^(55[1-9]\d)9([6-9]\d{7})$/, '$1$2')
}

function simplify(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
}
