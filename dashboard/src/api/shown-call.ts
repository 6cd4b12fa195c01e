/** A call as people see it beside an action: what it does, without the token. */
import type { Given, Name } from './client.js'
import { operations } from './generated.js'
import { gatewayUrl } from './places.js'

export interface ShownFile {
  readonly name: string
}

export interface ShownCall {
  readonly operation: Name
  readonly method: string
  /** Address of the gateway. */
  readonly base: string
  /** With its parameters filled in. */
  readonly path: string
  /** Parameters of the path, in its order. */
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** A local file stands in it as its mark. */
  readonly body: unknown
  readonly files: ReadonlyMap<string, ShownFile>
  /** Header that has the token. */
  readonly header: 'token' | 'admintoken'
}

type ShownGiven<One extends Name> = Omit<Given<One>, 'signal' | 'idempotencyKey' | 'body'> & {
  readonly body?: unknown
  readonly files?: ReadonlyMap<string, ShownFile>
}

const NO_FILES: ReadonlyMap<string, ShownFile> = new Map()

export function shownCall<One extends Name>(
  operation: One,
  { body, query, params, files = NO_FILES }: ShownGiven<One>,
  header: ShownCall['header'] = 'token',
): ShownCall {
  const [method, pattern] = operations[operation]
  const values: Readonly<Record<string, string>> = params ?? {}
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const filled = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return {
    operation,
    method,
    base: gatewayUrl,
    path: `${filled}${given.length === 0 ? '' : `?${search}`}`,
    params: names.map((name) => values[name] ?? ''),
    query: given.length === 0 ? undefined : Object.fromEntries(given),
    body: method === 'POST' ? (body ?? {}) : body,
    files,
    header,
  }
}
