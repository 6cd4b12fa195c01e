/** Every page and its search parameters. */
import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { dashboardPath } from './api/places.js'
import { session } from './api/session.js'
import { Failure } from './components/failure.js'
import { Notice } from './components/notice.js'
import { Shell } from './components/shell.js'
import { SignIn } from './pages/sign-in.js'
import { useWords } from './words/index.js'

const STATUSES = ['connected', 'connecting', 'disconnected'] as const
export type Status = (typeof STATUSES)[number]

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    const signedIn = session()
    if (signedIn === null) throw redirect({ to: '/sign-in', replace: true })
    if (signedIn.instanceId === null) throw redirect({ to: '/instances', replace: true })
    throw redirect({ to: '/instances/$id', params: { id: signedIn.instanceId }, replace: true })
  },
})

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } =>
    // A path of ours, never the address of another site.
    typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {},
  component: SignIn,
})

const instancesRoute = createRoute({
  getParentRoute: () => root,
  path: '/instances',
  beforeLoad: demandSignIn,
  validateSearch: ({ search, status }: Record<string, unknown>): { search?: string; status?: Status } => ({
    ...(typeof search === 'string' && search !== '' ? { search: search.slice(0, 100) } : {}),
    ...(STATUSES.includes(status as Status) ? { status: status as Status } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/instances.js'), 'Instances'),
})

const newInstance = createRoute({
  getParentRoute: () => root,
  path: '/instances/new',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => import('./pages/new-instance.js'), 'NewInstance'),
})

const instanceRoute = createRoute({
  getParentRoute: () => root,
  path: '/instances/$id',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => import('./pages/instance.js'), 'Instance'),
})

export const router = createRouter({
  routeTree: root.addChildren([index, signInRoute, instancesRoute, newInstance, instanceRoute]),
  basepath: dashboardPath,
  defaultErrorComponent: ({ error, reset }) => (
    <Failure error={error instanceof Error ? error : new Error()} onRetry={reset} />
  ),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function demandSignIn({ location }: { readonly location: { readonly href: string } }): void {
  if (session() === null) throw redirect({ to: '/sign-in', search: { back: location.href }, replace: true })
}

function NotFound() {
  const words = useWords()
  return (
    <Notice>
      <h1>{words.notFound}</h1>
      <p>{words.notFoundHelp}</p>
      <Link to="/">{words.home}</Link>
    </Notice>
  )
}
