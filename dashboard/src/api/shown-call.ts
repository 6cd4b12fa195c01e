/** Describes a call for people, from what the client would be given. */
import type { ShownCall, ShownFile } from '../format/shown.js'
import type { Given, Name } from './client.js'
import { operations } from './generated.js'
import { gatewayUrl } from './places.js'

export type { ShownCall } from '../format/shown.js'

type ShownGiven<One extends Name> = Omit<Given<One>, 'signal' | 'idempotencyKey' | 'body'> & {
  readonly body?: unknown
  readonly files?: ReadonlyMap<string, ShownFile>
}

const NO_FILES: ReadonlyMap<string, ShownFile> = new Map()

export function buildShownCall<One extends Name>(
  operation: One,
  { body, query, params, files = NO_FILES }: ShownGiven<One>,
  header: ShownCall['header'] = 'token',
): ShownCall {
  const [method, pattern] = operations[operation]
  const values: Readonly<Record<string, string>> = params ?? {}
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const filled = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))
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
