/** Bounds of a JSON answer for one use. A server of a tenant may send more; it is refused before it costs anything. */
import type { JsonLimits } from '../../../lib/json-shape.js'

/**
 * Parts of a parsed answer that are kept, as data. `true`: a text, number or boolean. `vector`: numbers, as Float32Array. A list with one
 * entry: the items of a list, in that form. An object: these members, and under `[]` the items of a list that comes in its place. A text,
 * number or boolean in place of a list or object is kept too.
 */
export type Keep = true | 'vector' | readonly [Keep] | { readonly [name: string]: Keep }

export interface JsonUse extends Omit<JsonLimits, 'keysMax'> {
  /** Maximum of bytes, decompressed. */
  readonly bytesMax: number
  /** Parts that are kept. Without it the whole value is, and counts against `KEPT_VALUES_MAX`. */
  readonly keep?: Keep
}

export type JsonAnswer =
  | { readonly type: 'value'; readonly value: unknown }
  /** Empty, or not JSON. */
  | { readonly type: 'none'; readonly isEmpty: boolean }
  /** More than its use needs. `why` is the rest of a sentence: `has more than 5000 values`. */
  | { readonly type: 'refused'; readonly why: string }

/** Maximum of values that reach the main thread: they are copied there, and walked by those who use them. */
export const KEPT_VALUES_MAX = 20_000
/** Maximum of characters of all texts that are kept. */
export const KEPT_CHARACTERS_MAX = 1_000_000

/** An answer that is an error: a few sentences. */
export const ERROR_JSON: JsonUse = { bytesMax: 64 * 1024, valuesMax: 1_000, depthMax: 20 }
