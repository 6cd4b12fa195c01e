import type { ReactNode } from 'react'

/** A field of a record that people edit. */
export interface FieldSpec {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'long' | 'number' | 'check' | 'choice' | 'secret' | 'own'
  readonly help?: string
  readonly required?: boolean
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number
  /** Values of a choice with their words. */
  readonly options?: readonly (readonly [value: string, word: string])[]
  /** Draws a field of kind `own`. */
  readonly draw?: (value: unknown, onChange: (value: unknown) => void) => ReactNode
  /** True: the field is not shown with these values. */
  readonly isHidden?: (values: Values) => boolean
}

export type Values = Readonly<Record<string, unknown>>

/** Returns the fields that differ, as the API takes them: an empty number is null, an empty secret stays. */
export function pickChanged(specs: readonly FieldSpec[], before: Values, after: Values): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const { name, kind, isHidden } of specs) {
    const value = after[name]
    if (isHidden?.(after) === true || JSON.stringify(value) === JSON.stringify(before[name])) continue
    if (kind === 'secret' && value === '') continue
    changed[name] = kind === 'number' ? (value === '' || value === undefined ? null : Number(value)) : value
  }
  return changed
}

/** Returns the reason for a field, whatever stands before its name or after it in the path that the gateway tells. */
export function findWrong(reasons: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(reasons).find(([path]) => path.split(/[.[\]/]+/).includes(name))?.[1]
}
