import { tooMany } from './json-body.js'

/** Maximum depth of a field that may hold a file. */
const FRAMES_MAX = 3
const BACKSLASH = 0x5c

/** An object or array around the place of the reader. */
export interface JsonLevel {
  readonly isArray: boolean
  /** The last key of an object, as it was given. */
  key: string
  /** The number of items before, in an array. */
  index: number
}

/** Follows the objects and arrays around the place that a reader of JSON has reached, as deep as fields that may hold files are. */
export class JsonPosition {
  readonly #valuesMax: number
  /** The outermost frames. */
  readonly #frames: JsonLevel[] = []
  #depth = 0
  #values = 0
  #isKey = false

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax
  }

  /** True where the next text is a key of one of the frames. */
  get isKey(): boolean {
    return this.#isKey
  }

  /** True where the next text may be a file. */
  get isFileValue(): boolean {
    return !this.#isKey && this.#frame !== undefined
  }

  /** @throws GatewayError INVALID_REQUEST when there are too many values */
  enter(isArray: boolean): void {
    this.#countValue()
    this.#depth += 1
    if (this.#depth <= FRAMES_MAX) this.#frames.push({ isArray, key: '', index: 0 })
    this.#isKey = this.#frame?.isArray === false
  }

  leave(): void {
    if (this.#depth <= this.#frames.length) this.#frames.pop()
    this.#depth -= 1
    this.#isKey = false
  }

  /** Passes a comma. @throws GatewayError INVALID_REQUEST when there are too many values */
  passComma(): void {
    this.#countValue()
    const frame = this.#frame
    if (frame !== undefined) frame.index += 1
    this.#isKey = frame?.isArray === false
  }

  passColon(): void {
    this.#isKey = false
  }

  /** Passes a key, as it is in the body. */
  passKey(escaped: Buffer): void {
    const frame = this.#frame
    if (frame !== undefined) frame.key = keyOf(escaped)
  }

  /** Joins a part for each frame to the name of the field at this place. */
  name(partOf: (frame: JsonLevel) => string): string {
    return this.#frames.map(partOf).join('').slice(1)
  }

  /** The innermost frame; undefined outside of all, and deeper than any field that may hold a file. */
  get #frame(): JsonLevel | undefined {
    return this.#depth === this.#frames.length ? this.#frames.at(-1) : undefined
  }

  /** Stops the reading of a body that has too many objects, arrays and commas. Other values are counted when the body is parsed. */
  #countValue(): void {
    this.#values += 1
    if (this.#values > this.#valuesMax) throw tooMany('valuesMax', this.#valuesMax)
  }
}

function keyOf(escaped: Buffer): string {
  if (!escaped.includes(BACKSLASH)) return escaped.toString('utf8')
  try {
    // Bound: 16,384, a key.
    return String(JSON.parse(`"${escaped.toString('utf8')}"`))
  } catch {
    return ''
  }
}
