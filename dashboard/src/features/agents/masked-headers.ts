import { isObject } from '../../api/problem.js'

/** Returns the headers of a function without their values. They are secrets, such as keys of a service. */
export function maskHeaders(headers: string): string {
  if (headers.trim() === '') return ''
  let parsed: unknown
  try {
    parsed = JSON.parse(headers)
  } catch {
    return '…'
  }
  if (!isObject(parsed)) return '…'
  return Object.keys(parsed)
    .map((name) => `${name}: ••••`)
    .join(', ')
}
