// Bound: 1,048,576, a field of a request.

/** PostgreSQL refuses to compare its uuid with anything else, so what callers give is looked at first. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}
