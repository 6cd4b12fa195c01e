/** Reads the parameters of a request: query, JSON and forms. The platform ignores unknown ones; the fake writes them down. */
import type { IncomingMessage } from 'node:http'
import { refusals } from './refusal.js'
import type { NewFile } from './store.js'

export type Fields = Readonly<Record<string, unknown>>

export class Parameters {
  readonly fields: Fields
  readonly files: readonly NewFile[]
  readonly #onMistake: (sentence: string) => void

  constructor(fields: Fields, files: readonly NewFile[], onMistake: (sentence: string) => void) {
    this.fields = fields
    this.files = files
    this.#onMistake = onMistake
  }

  /** Writes down parameters that the call does not know. */
  only(...known: string[]): this {
    for (const name of Object.keys(this.fields)) if (!known.includes(name)) this.#onMistake(`unknown parameter ${name}`)
    return this
  }

  text(name: string): string | undefined {
    const value = this.fields[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object') throw refusals.unprocessable(`${name} is not a text`)
    return String(value)
  }

  /** Returns null if the caller sent null or an empty text, which clears a field. */
  clearable(name: string): string | null | undefined {
    if (!(name in this.fields)) return undefined
    return this.text(name) || null
  }

  /** A number may come as text, in a query or a form. */
  number(name: string): number | undefined {
    const value = this.text(name)
    return value === undefined || !/^\d+$/.test(value) ? undefined : Number(value)
  }

  flag(name: string): boolean {
    return this.fields[name] === true || this.fields[name] === 'true'
  }

  object(name: string): Record<string, unknown> | undefined {
    const value = this.fields[name]
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  }

  list(name: string): readonly unknown[] {
    const value = this.fields[name]
    return Array.isArray(value) ? value : []
  }
}

export async function readParameters(
  request: IncomingMessage,
  query: URLSearchParams,
  onMistake: (sentence: string) => void,
): Promise<Parameters> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const fields: Record<string, unknown> = Object.fromEntries(query)
  const contentType = request.headers['content-type'] ?? ''
  if (bytes.length === 0) return new Parameters(fields, [], onMistake)
  if (contentType.startsWith('multipart/form-data')) return readForm(bytes, contentType, fields, onMistake)
  if (!contentType.startsWith('application/json')) {
    // The platform finds no parameters in it.
    onMistake(`body of the type "${contentType}"`)
    return new Parameters(fields, [], onMistake)
  }
  return new Parameters({ ...fields, ...readJson(bytes) }, [], onMistake)
}

function readJson(bytes: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {}
  throw refusals.unprocessable('Error occurred while parsing request parameters')
}

async function readForm(
  bytes: Buffer,
  contentType: string,
  fields: Record<string, unknown>,
  onMistake: (sentence: string) => void,
): Promise<Parameters> {
  const files: NewFile[] = []
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  for (const [name, value] of form.entries()) {
    if (typeof value !== 'string') {
      if (name !== 'attachments[]') onMistake(`file in the field ${name}`)
      else
        files.push({
          fileName: value.name,
          contentType: value.type,
          bytes: Buffer.from(await value.arrayBuffer()),
        })
    } else put(fields, name, value)
  }
  // The builder of messages parses content_attributes that come as a text.
  if (typeof fields.content_attributes === 'string')
    fields.content_attributes = readJson(Buffer.from(fields.content_attributes))
  return new Parameters(fields, files, onMistake)
}

/** Puts `a[b]` into the object `a`. */
function put(fields: Record<string, unknown>, name: string, value: string): void {
  const [, outer = name, inner] = /^([^[]+)\[([^\]]+)\]$/.exec(name) ?? []
  if (inner === undefined) fields[outer] = value
  else fields[outer] = { ...(fields[outer] as object | undefined), [inner]: value }
}
