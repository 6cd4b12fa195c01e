/** Reads untrusted JSON. */
export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Estimates tokens, as all fakes count them. */
export function countTokens(value: unknown): number {
  return Math.ceil((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length / 4)
}

export function formatId(prefix: string, number: number, index = 0): string {
  return `${prefix}${number.toString(36).padStart(6, '0')}${index.toString(36)}Sandbox`
}
