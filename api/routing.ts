/** Finds the route of a request. */
import Router from '@koa/router'
import type { ApiContext, ApiState, Next } from './context.js'
import type { Route } from './route.js'

// Bound: 1,048,576, a body or header of a request.

export interface Routing {
  /** Middleware. Calls the route of this path and method, or `next` if there is none. */
  readonly take: (ctx: ApiContext, next: Next) => Promise<unknown>
  /** Returns the methods of the routes of a path. Empty if there are none. */
  readonly methodsOf: (path: string) => ReadonlySet<string>
}

type Handle = (ctx: ApiContext) => Promise<void>

/**
 * Creates a router for each first segment of a path. A router tries all of its routes on each request, each with a regular expression, and
 * a hundred of them cost as much as everything else before a handler. No route has a parameter for its first segment.
 */
export function createRouting(routes: readonly Route[], handlerOf: (route: Route) => Handle): Routing {
  const routers = new Map<string, Router<ApiState>>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    if (/[^\w.-]/.test(segment)) throw new Error(`${route.path} does not begin with a plain segment.`)
    const router = routers.get(segment) ?? new Router<ApiState>()
    routers.set(segment, router)
    router.register(route.path, [route.method.toLowerCase()], handlerOf(route) as never)
  }
  const takes = new Map([...routers].map(([segment, router]) => [segment, router.routes()]))

  return {
    take(ctx, next) {
      const take = takes.get(firstSegment(ctx.path))
      return take === undefined ? next() : take(ctx as never, next)
    },
    methodsOf(path) {
      const layers = routers.get(firstSegment(path))?.stack ?? []
      return new Set(layers.filter((layer) => layer.match(path)).flatMap((layer) => layer.methods))
    },
  }
}

/** Returns the first segment in lower case, since a router ignores case. A target like `x://host` has no path: Koa gives null. */
function firstSegment(path: string | null): string {
  if (path === null) return ''
  const end = path.indexOf('/', 1)
  return path.slice(1, end < 0 ? undefined : end).toLowerCase()
}
