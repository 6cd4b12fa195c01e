/** Writes the query of a call. The names are those that the generated operations use. */

/** Joins parts of a query; returns '' for none. */
export function query(...parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('&')
  return text === '' ? '' : `?${text}`
}

/** Writes one `name=value` for each value; leaves out those that are undefined. */
export function explode(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
}
