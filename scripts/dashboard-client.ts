/** Writes the typed list of operations that the dashboard calls with, from the routes and the schemas of the OpenAPI document. */
import type { Route } from '../api/route.js'
import { routes } from '../api/routes.js'
import { loadSchemas, type OperationPart } from '../schemas/schema-registry.js'

/** The text of `dashboard/src/api/generated.ts`. Hidden routes and those that answer no JSON are left out. */
export function dashboardClient(): string {
  const registry = loadSchemas()
  const bundled = registry.bundle('')
  const types = new Set<string>()
  const called = routes.filter(({ hidden, produces }) => hidden !== true && produces === undefined)
  const describeType = (route: Route, part: OperationPart): string => {
    const name = route.schema === undefined ? undefined : registry.findName(route.schema, part)
    if (name === undefined) return part === 'reply' ? 'unknown' : 'undefined'
    // A schema that only refers to another has no type of its own (`generated-types.ts`).
    const { $ref: reference } = bundled[name] ?? {}
    const type = typeof reference === 'string' ? reference : name
    types.add(type)
    return type
  }
  const shapes = called.map((route) => {
    const [body, query, reply] = (['request', 'query', 'reply'] as const).map((part) => describeType(route, part))
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => `'${name}'`)
    return `  ${route.name}: { body: ${body}; query: ${query}; params: ${names.join(' | ') || 'never'}; reply: ${reply} }`
  })
  return [
    '/* Made by `npm run generate` from the routes; change those. */',
    'import type {',
    ...[...types].sort().map((name) => `  ${name},`),
    "} from '../../../schemas/generated.js'",
    '',
    'export interface Operations {',
    ...shapes,
    '}',
    '',
    '/** Method and path of each operation. */',
    'export const operations: { readonly [Name in keyof Operations]: readonly [method: string, path: string] } = {',
    ...called.map(({ name, method, path }) => `  ${name}: ['${method}', '${path}'],`),
    '}',
    '',
  ].join('\n')
}
