const SECRET = /pass(word|phrase)|secret|token|api_?key|^credential|proxy_url|proxy_fallback|^headers$|^code$/i
const LONG = 2_000

/** Returns a body without its secrets, and with long texts, such as files, cut. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG ? `${value.slice(0, 100)}…` : value
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) && inner !== '' && inner !== null && typeof inner !== 'boolean'
        ? '$SECRET'
        : maskSecrets(inner),
    ]),
  )
}
