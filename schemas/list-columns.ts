/** Names of the columns of a list of recipients, and where each placeholder finds its value. */
import { boundedMarks } from '../lib/bounded-marks.js'

// Bound: 65,536, the name of a column.

/** Columns that mean more than a value of a placeholder. */
export type ColumnRole = 'number' | 'name' | 'timezone'

/** Names of each role as `plainName` returns them: in English, Portuguese and Spanish. The first one is the name of the role. */
const NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  number: [
    'number',
    'phone',
    'phone number',
    'phonenumber',
    'mobile',
    'mobile number',
    'mobile phone',
    'cell',
    'cell phone',
    'cellphone',
    'whatsapp number',
    'tel',
    'fone',
    'numero',
    'telefone',
    'telefone celular',
    'numero de telefone',
    'numero de celular',
    'numero celular',
    'numero de whatsapp',
    'numero do whatsapp',
    'numero whatsapp',
    'celular whatsapp',
    'telefone whatsapp',
    'telemovel',
    'cel',
    'celular',
    'whatsapp',
    'telefono',
    'numero de telefono',
    'telefono celular',
    'telefono movil',
    'numero de movil',
    'movil',
  ],
  name: ['name', 'nome', 'nombre', 'full name', 'nome completo', 'nombre completo'],
  timezone: ['timezone', 'time zone', 'fuso horario', 'zona horaria'],
}
const ROLES: ReadonlyMap<string, ColumnRole> = new Map(
  Object.entries(NAMES).flatMap(([role, names]) => names.map((name) => [name, role as ColumnRole] as const)),
)

const FIRST_NAME = 'first name'

/** Returns a name without case, accents, and differences between spaces, `_` and `-`. Two columns of a list cannot have the same. */
function plainName(name: string): string {
  const bare = boundedMarks(name).normalize('NFD').replace(/\p{M}/gu, '')
  return bare
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Returns the role of a column of that name; undefined if it only holds values. */
export function findColumnRole(name: string): ColumnRole | undefined {
  return ROLES.get(plainName(name))
}

/** The column of a placeholder. */
export interface ColumnPlace {
  readonly index: number
  /** True if the value is the first word of the name in that column. */
  readonly isFirstWord: boolean
}

/** The columns of a list, or the fields of one recipient, by their names. */
export class ListColumns {
  readonly #names: readonly string[]
  /** Made at the first look for a name that no column has exactly. */
  #plain: readonly string[] | null = null

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /**
   * Finds the column of a placeholder: the one with exactly its name, else with this name in another case, else with another name of the
   * same role (`{{name}}` of the column `nome`). `{{first_name}}` is the first word of the name if no column has it. Returns null if there
   * is none.
   */
  find(placeholder: string): ColumnPlace | null {
    const exact = this.#names.indexOf(placeholder)
    if (exact >= 0) return { index: exact, isFirstWord: false }
    const plain = plainName(placeholder)
    const alike = this.#alike(plain)
    if (alike >= 0) return { index: alike, isFirstWord: false }
    const ofName = plain === FIRST_NAME ? this.#alike('name') : -1
    return ofName < 0 ? null : { index: ofName, isFirstWord: true }
  }

  #alike(plain: string): number {
    this.#plain ??= this.#names.map(plainName)
    const names = this.#plain
    const same = names.indexOf(plain)
    const role = ROLES.get(plain)
    if (same >= 0 || role === undefined) return same
    return NAMES[role].map((name) => names.indexOf(name)).find((place) => place >= 0) ?? -1
  }
}
