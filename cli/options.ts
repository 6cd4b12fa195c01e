/** Options that all commands share, and their output. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { createPosthorn, type Posthorn } from '../clients/typescript/src/index.js'

export interface Output {
  /** Writes what the command is for, which a pipe gets. */
  write(text: string): void
  /** Writes what people should know besides. */
  note(text: string): void
}

/** A command that was typed wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const DEFAULT_URL = 'http://127.0.0.1:3000'

const shared = { url: { type: 'string' }, token: { type: 'string' }, 'admin-token': { type: 'string' } } as const

export interface Typed {
  readonly words: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | undefined>>
}

/** @throws UsageError for an unknown option, or another number of words */
export function read(
  typed: readonly string[],
  words: readonly [min: number, max: number],
  options: NonNullable<ParseArgsConfig['options']> = {},
): Typed {
  try {
    const { positionals, values } = parseArgs({
      args: [...typed],
      allowPositionals: true,
      options: { ...shared, ...options },
    })
    if (positionals.length < words[0]) throw new Error('A word is missing.')
    if (positionals.length > words[1]) throw new Error(`"${positionals[words[1]]}" is a word too many; use quotes.`)
    return { words: positionals, values: values as Typed['values'] }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\`posthorn help\` shows how to type it.`)
  }
}

/** Returns the address of the gateway. @throws UsageError */
export function readGatewayUrl({ values }: Pick<Typed, 'values'>): string {
  const url = (values.url as string | undefined) || process.env.POSTHORN_URL || DEFAULT_URL
  if (!URL.canParse(url)) throw new UsageError(`"${url}" is not an address.`)
  return url.replace(/\/+$/, '')
}

/** @throws UsageError without a token */
export function createClient({ values }: Typed, kind: 'instance' | 'admin'): Posthorn {
  const url = readGatewayUrl({ values })
  if (kind === 'admin') {
    const adminToken = (values['admin-token'] as string | undefined) ?? process.env.POSTHORN_ADMIN_TOKEN
    if (!adminToken) throw new UsageError('Set POSTHORN_ADMIN_TOKEN, or type --admin-token.')
    return createPosthorn({ url, adminToken })
  }
  const token = (values.token as string | undefined) ?? process.env.POSTHORN_TOKEN
  if (!token) throw new UsageError('Set POSTHORN_TOKEN to the token of an instance, or type --token.')
  return createPosthorn({ url, token })
}

/** Control characters and those that turn the direction of text. Strangers write them, and a terminal obeys them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Replaces characters that a terminal obeys. */
export function visible(text: string): string {
  return text.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
