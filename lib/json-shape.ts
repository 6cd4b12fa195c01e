/** Measures JSON text before it is parsed: a parser turns one byte into up to a hundred bytes of objects. */

export interface JsonLimits {
  /** Objects and arrays inside each other. */
  readonly depthMax: number
  /** Members of all objects together. */
  readonly keysMax: number
  /** Members of all objects and items of all arrays together. */
  readonly valuesMax: number
}

const [QUOTE, BACKSLASH, COMMA, COLON, BRACE, BRACE_END, BRACKET, BRACKET_END] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
]

/**
 * Returns the first limit that the text exceeds, or null. Never throws: text that is no JSON is left to the parser.
 * Reads each byte once and holds nothing.
 */
export function exceededLimit(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  let depth = 0
  let keys = 0
  // Each comma separates two values, and each object or array that is not empty has one more value than commas.
  let values = 0
  for (let index = 0; index < bytes.length; index++) {
    switch (bytes[index]) {
      case QUOTE:
        index = endOfString(bytes, index + 1)
        break
      case COMMA:
        if (++values > limits.valuesMax) return 'valuesMax'
        break
      case COLON:
        if (++keys > limits.keysMax) return 'keysMax'
        break
      case BRACE:
      case BRACKET:
        if (++depth > limits.depthMax) return 'depthMax'
        if (++values > limits.valuesMax) return 'valuesMax'
        break
      case BRACE_END:
      case BRACKET_END:
        depth -= 1
        break
    }
  }
  return null
}

/** The index of the closing quote, or the length. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) return index
    if (byte === BACKSLASH) index += 1
  }
  return bytes.length
}
