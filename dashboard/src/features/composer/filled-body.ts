/** Puts local files into the body of a call. */
import type { LocalFile } from './content.js'

/** Returns the body with the files in it as base64. */
export async function filledBody<Body>(body: Body, files: ReadonlyMap<string, LocalFile>): Promise<Body> {
  if (files.size === 0) return body
  const read = new Map<string, string>()
  for (const [mark, { blob }] of files) read.set(mark, await base64Of(blob))
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return filledText(value, read)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]))
  }
  return fill(body) as Body
}

/** A mark is the whole text, or stands in braces. */
function filledText(text: string, read: ReadonlyMap<string, string>): string {
  const bare = /^\{(.*)\}$/s.exec(text)?.[1]
  const inBraces = bare === undefined ? undefined : read.get(bare)
  return inBraces === undefined ? (read.get(text) ?? text) : `{${inBraces}}`
}

/** Bytes that are turned into text at once; a multiple of three, so that parts can be joined. */
const PART_BYTES = 3 * 8_192

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PART_BYTES))))
  return parts.join('')
}
