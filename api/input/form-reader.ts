/** Takes a body of the type `multipart/form-data` apart while it arrives (RFC 7578), without holding more than a piece of it. */
import { GatewayError } from '../../schemas/errors.js'

// Bound: 16,384, the head of a part, or a header of the request.

/** Head of a part. */
export interface FormPart {
  readonly name: string
  /** Undefined if the part is not a file. */
  readonly fileName: string | undefined
  /** Without parameters, in lower case. Empty if the part does not say it. */
  readonly mimetype: string
}

/** Takes the parts in their order. */
export interface FormSink {
  begin(part: FormPart): Promise<void>
  push(bytes: Buffer): Promise<void>
  end(): Promise<void>
}

const HEAD_BYTES_MAX = 16_384
/** Maximum length of a boundary (RFC 2046). */
const BOUNDARY_MAX = 70
const NONE = Buffer.alloc(0)
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** Returns the boundary of a form; null for all other bodies. @throws GatewayError INVALID_REQUEST for a form without one */
export function readBoundary(type = ''): string | null {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(type)) return null
  const [, quoted, bare = ''] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === '' || boundary.length > BOUNDARY_MAX) throw malformed('its boundary is missing or too long')
  return boundary
}

export class FormReader {
  readonly #delimiter: Buffer
  readonly #sink: FormSink
  /** Bytes that were not taken apart yet. A line end is put before the first ones, since the first delimiter needs none. */
  #held: Buffer = LINE_END
  #state: 'preamble' | 'delimiter' | 'head' | 'opening' | 'body' | 'done' = 'preamble'

  constructor(boundary: string, sink: FormSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#sink = sink
  }

  /** Takes a piece of the body. @throws GatewayError INVALID_REQUEST, and as the sink */
  async take(bytes: Buffer): Promise<void> {
    if (this.#state === 'done') return
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    let hasMore = true
    while (hasMore) hasMore = await this.#step()
  }

  /** Ends the body. @throws GatewayError INVALID_REQUEST if its last delimiter is missing */
  end(): void {
    if (this.#state !== 'done') throw malformed('its end is missing')
  }

  /** Returns false while more bytes are needed. */
  async #step(): Promise<boolean> {
    switch (this.#state) {
      case 'preamble':
        return this.#skipPreamble()
      case 'delimiter':
        return this.#readDelimiter()
      case 'head':
        return await this.#readHead()
      case 'opening':
        return await this.#openBody()
      case 'body':
        return await this.#readBody()
      case 'done':
        return false
    }
  }

  #skipPreamble(): boolean {
    const at = this.#held.indexOf(this.#delimiter)
    if (at < 0) {
      this.#keep(Math.max(0, this.#held.length - this.#delimiter.length + 1))
      return false
    }
    this.#keep(at + this.#delimiter.length)
    this.#state = 'delimiter'
    return true
  }

  /** Reads what follows a delimiter: two dashes end the form, a line end begins a part. */
  #readDelimiter(): boolean {
    if (this.#held.length < 2) return false
    if (this.#held[0] === 0x2d && this.#held[1] === 0x2d) {
      this.#held = NONE
      this.#state = 'done'
      return false
    }
    if (!this.#held.subarray(0, 2).equals(LINE_END)) throw malformed('a delimiter is not followed by a line end')
    this.#state = 'head'
    return true
  }

  async #readHead(): Promise<boolean> {
    // A part without a head has the line end of its delimiter and an empty line.
    const at = this.#held.indexOf(HEAD_END)
    if (at > HEAD_BYTES_MAX || (at < 0 && this.#held.length > HEAD_BYTES_MAX))
      throw malformed('the head of a part is too long')
    if (at < 0) return false
    const part = parsePart(this.#held.subarray(LINE_END.length, at).toString('utf8'))
    // With the line end that separates head and body.
    this.#keep(at + LINE_END.length)
    this.#state = 'opening'
    await this.#sink.begin(part)
    return true
  }

  /** Skips the line end before the body, unless it belongs to the delimiter, as after a part without a body. */
  async #openBody(): Promise<boolean> {
    if (this.#held.length < this.#delimiter.length) return false
    if (!this.#held.subarray(0, this.#delimiter.length).equals(this.#delimiter)) this.#keep(LINE_END.length)
    this.#state = 'body'
    return true
  }

  async #readBody(): Promise<boolean> {
    const at = this.#held.indexOf(this.#delimiter)
    // Without a delimiter, the last bytes may be the beginning of one.
    const ready = at < 0 ? Math.max(0, this.#held.length - this.#delimiter.length + 1) : at
    if (ready > 0) await this.#sink.push(this.#held.subarray(0, ready))
    this.#keep(at < 0 ? ready : at + this.#delimiter.length)
    if (at < 0) return false
    this.#state = 'delimiter'
    await this.#sink.end()
    return true
  }

  #keep(from: number): void {
    this.#held = this.#held.subarray(from)
  }
}

function parsePart(head: string): FormPart {
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const name = valueIn(NAME.exec(disposition))
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) throw malformed('a part has no name')
  const type = headers.get('content-type') ?? ''
  const end = type.indexOf(';')
  return {
    name,
    fileName: readFileName(disposition),
    mimetype: (end < 0 ? type : type.slice(0, end)).trim().toLowerCase(),
  }
}

const NAME = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i
const FILE_NAME = /;\s*filename=(?:"([^"]*)"|([^\s;"]+))/i
/** The form for names in other alphabets (RFC 5987). */
const CODED_NAME = /;\s*filename\*=[\w-]*'[\w-]*'([^\s;]+)/i

/** Browsers and the clients of Node.js write `"` as `%22` and line ends as `%0D%0A`; a backslash is one. */
function valueIn(found: RegExpExecArray | null): string | undefined {
  if (found === null) return undefined
  const [, quoted, bare] = found
  return (quoted ?? bare ?? '').replaceAll('%22', '"').replace(/%0D|%0A/gi, '')
}

/** Returns undefined for a part that is not a file. */
function readFileName(disposition: string): string | undefined {
  const [, coded] = CODED_NAME.exec(disposition) ?? []
  if (coded === undefined) return valueIn(FILE_NAME.exec(disposition))
  try {
    return decodeURIComponent(coded)
  } catch {
    return ''
  }
}

export function malformed(why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: the form is malformed: ${why}.`,
    details: [{ field: '', why: `must be a form (multipart/form-data): ${why}` }],
  })
}
