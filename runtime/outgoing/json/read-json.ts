import { exceededLimit } from '../../../lib/json-shape.js'
import { type JsonAnswer, type JsonUse, KEPT_CHARACTERS_MAX, KEPT_VALUES_MAX, type Keep } from './json-use.js'

// Bound: 262,144, 5,000 values, what the main thread reads; larger ones are read in a thread.

/** Returns what an answer has for its use. Its bytes and values are counted before they are parsed. */
export function readJson(bytes: Uint8Array, use: JsonUse): JsonAnswer {
  const why = refusal(bytes, use)
  if (why !== null) return { type: 'refused', why }
  const parsed = parse(bytes)
  if (parsed.type !== 'value' || use.keep === undefined) return parsed
  const room = { values: KEPT_VALUES_MAX, characters: KEPT_CHARACTERS_MAX }
  const value = kept(parsed.value, use.keep, room)
  if (room.values < 0) return { type: 'refused', why: tooMany(KEPT_VALUES_MAX) }
  if (room.characters < 0) return { type: 'refused', why: `has texts of more than ${KEPT_CHARACTERS_MAX} characters` }
  return { type: 'value', value }
}

/** Values and characters that may still be kept. */
interface Room {
  values: number
  characters: number
}

/** Returns the reason for which an answer is not parsed, or null. */
export function refusal(bytes: Uint8Array, { bytesMax, valuesMax, depthMax }: JsonUse): string | null {
  if (bytes.length > bytesMax) return `is longer than ${bytesMax} bytes`
  switch (exceededLimit(bytes, { valuesMax, keysMax: valuesMax, depthMax })) {
    case null:
      return null
    case 'depthMax':
      return `nests deeper than ${depthMax} levels`
    default:
      return tooMany(valuesMax)
  }
}

function tooMany(values: number): string {
  return `has more than ${values} values`
}

function parse(bytes: Uint8Array): JsonAnswer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  try {
    return { type: 'value', value: JSON.parse(text) as unknown }
  } catch {
    return { type: 'none', isEmpty: text.trim() === '' }
  }
}

/** Returns a copy with the parts that are kept. Stops when there is no room left. */
function kept(value: unknown, keep: Keep, room: Room): unknown {
  room.values -= 1
  if (typeof value === 'string') room.characters -= value.length
  if (room.values < 0 || room.characters < 0) return null
  if (keep === 'vector') return vector(value)
  if (typeof value !== 'object' || value === null) return value
  if (keep === true) return null
  if (Array.isArray(value)) return keptItems(value, isList(keep) ? keep[0] : keep['[]'], room)
  if (isList(keep)) return null
  const members: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(keep))
    if (Object.hasOwn(value, name)) members[name] = kept((value as Record<string, unknown>)[name], part, room)
  return members
}

function keptItems(list: readonly unknown[], keep: Keep | undefined, room: Room): unknown {
  if (keep === undefined) return null
  const items: unknown[] = []
  for (const item of list) {
    if (room.values < 0) break
    items.push(kept(item, keep, room))
  }
  return items
}

function isList(keep: Keep): keep is readonly [Keep] {
  return Array.isArray(keep)
}

/** Returns null for anything that is not a list of numbers. */
function vector(value: unknown): Float32Array | null {
  if (!Array.isArray(value) || !value.every((one) => Number.isFinite(one))) return null
  return Float32Array.from(value as number[])
}
