/** Puts local files into the body of a call. */
import { encodeBase64 } from '../../format/base64.js'
import type { LocalFile } from './content.js'

/** Returns the body with the files in it as base64. */
export async function fillBody<Body>(body: Body, files: ReadonlyMap<string, LocalFile>): Promise<Body> {
  if (files.size === 0) return body
  const read = new Map<string, string>()
  for (const [mark, { blob }] of files) read.set(mark, await encodeBase64(blob))
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, read)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]))
  }
  return fill(body) as Body
}

/** A mark is the whole text, or stands in braces. */
function fillText(text: string, read: ReadonlyMap<string, string>): string {
  const bare = /^\{(.*)\}$/s.exec(text)?.[1]
  const inBraces = bare === undefined ? undefined : read.get(bare)
  return inBraces === undefined ? (read.get(text) ?? text) : `{${inBraces}}`
}
