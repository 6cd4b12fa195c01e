/** Every page and its search parameters. */
import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadFile } from './api/new-build.js'
import { dashboardPath } from './api/places.js'
import { readSession } from './api/session.js'
import { Failure } from './components/failure.js'
import { Notice } from './components/notice.js'
import { Navigation, Shell } from './components/shell.js'
import { readAgentSearch } from './features/agents/search.js'
import { readChannelSearch } from './features/channels/search.js'
import { readContactSearch } from './features/contacts/search.js'
import { readConversationSearch } from './features/conversation/search.js'
import { readEventSearch } from './features/events/search.js'
import { readGroupSearch } from './features/groups/search.js'
import { readInstancesSearch } from './features/instances/view.js'
import { readLeadSearch } from './features/leads/search.js'
import { readWebhookSearch } from './features/webhooks/search.js'
import { useWords } from './words/index.js'

const SCHEDULED_STATES = ['scheduled', 'canceled', 'failed', 'all'] as const
export type ScheduledState = (typeof SCHEDULED_STATES)[number]

const RECIPIENT_STATES = ['all', 'Scheduled', 'Sent', 'Failed', 'Skipped', 'Replied'] as const
export type RecipientState = (typeof RECIPIENT_STATES)[number]

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    const signedIn = readSession()
    if (signedIn === null) throw redirect({ to: '/sign-in', replace: true })
    if (signedIn.instanceId === null) throw redirect({ to: '/overview', replace: true })
    throw redirect({ to: '/instances/$id', params: { id: signedIn.instanceId }, replace: true })
  },
})

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } =>
    // A path of ours, never the address of another site.
    typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {},
  component: lazyRouteComponent(() => loadFile(() => import('./pages/sign-in.js')), 'SignIn'),
})

const instancesRoute = createRoute({
  getParentRoute: () => root,
  path: '/instances',
  beforeLoad: demandSignIn,
  validateSearch: readInstancesSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/instances.js')), 'Instances'),
})

const overviewRoute = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/overview.js')), 'Overview'),
})

const clusterRoute = createRoute({
  getParentRoute: () => root,
  path: '/cluster',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/cluster.js')), 'Cluster'),
})

export interface AuditSearch {
  readonly operation?: string
  readonly subject?: string
  readonly pass?: string
  /** A day. */
  readonly from?: string
  readonly before?: number
  /** True: with what only reads, and the sign-ins. */
  readonly all?: true
}

const auditRoute = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  beforeLoad: demandSignIn,
  validateSearch: ({ operation, subject, pass, from, before, all }: Record<string, unknown>): AuditSearch => ({
    ...readTexts({ operation, subject, pass }),
    ...(typeof from === 'string' && /^\d{4}-\d\d-\d\d$/.test(from) ? { from } : {}),
    ...(Number.isSafeInteger(before) ? { before: before as number } : {}),
    ...(all === true ? { all } : {}),
  }),
  component: lazyRouteComponent(() => loadFile(() => import('./pages/audit.js')), 'Audit'),
})

const newInstance = createRoute({
  getParentRoute: () => root,
  path: '/instances/new',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/new-instance.js')), 'NewInstance'),
})

const instanceFrame = createRoute({
  getParentRoute: () => root,
  path: '/instances/$id',
  beforeLoad: demandSignIn,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/instance-frame.js')), 'InstanceFrame'),
})

const instanceRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/instance.js')), 'Instance'),
})

const conversationsRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/chats',
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/conversations.js')), 'Conversations'),
})

const campaignsRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/campaigns',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/campaigns.js')), 'Campaigns'),
})

const newCampaignRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/campaigns/new',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/new-campaign.js')), 'NewCampaign'),
})

const campaignRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/campaigns/$folder',
  validateSearch: ({ show }: Record<string, unknown>): { show?: RecipientState | undefined } => ({
    show: RECIPIENT_STATES.find((one) => one === show),
  }),
  component: lazyRouteComponent(() => loadFile(() => import('./pages/campaign.js')), 'Campaign'),
})

const optOutsRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/opt-outs',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/opt-outs.js')), 'OptOuts'),
})

const scheduledRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/scheduled',
  // Undefined takes the place of what the address has: the router keeps what is left out.
  validateSearch: ({
    state,
    to,
  }: Record<string, unknown>): { state?: ScheduledState | undefined; to?: string | undefined } => ({
    state: SCHEDULED_STATES.find((one) => one === state),
    // The router reads digits in an address as a number.
    to: /^[\w@.+-]{1,100}$/.exec(String(to ?? ''))?.[0],
  }),
  component: lazyRouteComponent(() => loadFile(() => import('./pages/scheduled.js')), 'Scheduled'),
})

const instanceWebhooks = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/webhooks',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/webhooks.js')), 'Webhooks'),
})

const contacts = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/contacts',
  validateSearch: readContactSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/contacts.js')), 'Contacts'),
})

const leads = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/leads',
  validateSearch: readLeadSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/leads.js')), 'Leads'),
})

const groups = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/groups',
  validateSearch: readGroupSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/groups.js')), 'Groups'),
})

const channels = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/channels',
  validateSearch: readChannelSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/channels.js')), 'Channels'),
})

const account = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/account',
  validateSearch: ({ view }: Record<string, unknown>): { view?: 'business' | 'calls' } =>
    view === 'business' || view === 'calls' ? { view } : {},
  component: lazyRouteComponent(() => loadFile(() => import('./pages/account.js')), 'Account'),
})

const agents = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/agents',
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/agents.js')), 'Agents'),
})

const knowledge = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/knowledge',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/knowledge.js')), 'Knowledge'),
})

const functions = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/functions',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/functions.js')), 'Functions'),
})

const quickReplies = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/quick-replies',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/quick-replies.js')), 'QuickReplies'),
})

const chatwoot = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/chatwoot',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/chatwoot.js')), 'Chatwoot'),
})

const events = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/events',
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/events.js')), 'Events'),
})

const globalWebhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  beforeLoad: demandSignIn,
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => loadFile(() => import('./pages/global-webhooks.js')), 'GlobalWebhooks'),
})

const apiRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/api',
  validateSearch: ({ view, operation }: Record<string, unknown>): { view?: 'try' | 'log'; operation?: string } => ({
    ...(view === 'log' ? { view } : {}),
    ...(typeof operation === 'string' && /^\w{1,100}$/.test(operation) ? { operation } : {}),
  }),
  component: lazyRouteComponent(() => loadFile(() => import('./pages/api.js')), 'Api'),
})

const settingsRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/settings',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/settings.js')), 'Settings'),
})

const keysRoute = createRoute({
  getParentRoute: () => instanceFrame,
  path: '/keys',
  component: lazyRouteComponent(() => loadFile(() => import('./pages/keys.js')), 'Keys'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    signInRoute,
    overviewRoute,
    instancesRoute,
    newInstance,
    instanceFrame.addChildren([
      instanceRoute,
      conversationsRoute,
      instanceWebhooks,
      scheduledRoute,
      contacts,
      leads,
      groups,
      channels,
      account,
      agents,
      knowledge,
      functions,
      quickReplies,
      chatwoot,
      events,
      keysRoute,
      apiRoute,
      settingsRoute,
      campaignsRoute,
      newCampaignRoute,
      campaignRoute,
      optOutsRoute,
    ]),
    globalWebhooks,
    clusterRoute,
    auditRoute,
  ]),
  basepath: dashboardPath,
  defaultErrorComponent: ({ error, reset }) => (
    <Failure
      error={error instanceof Error ? error : new Error()}
      onRetry={() => {
        // Its code may be what failed.
        loadPage()
        reset()
      }}
    />
  ),
})

/** Starts to load the code of the page that the address names, or of the sign-in. */
export function loadPage(): void {
  if (readSession() === null) {
    void signInRoute.options.component?.preload?.()
    return
  }
  Navigation.preload()
  const matches: readonly { readonly routeId: keyof typeof router.routesById }[] = router.matchRoutes(
    router.latestLocation,
  )
  for (const { routeId } of matches) void router.routesById[routeId].options.component?.preload?.()
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function demandSignIn({ location }: { readonly location: { readonly href: string } }): void {
  if (readSession() === null) throw redirect({ to: '/sign-in', search: { back: location.href }, replace: true })
}

/** Returns the parameters that are texts, cut to what the API takes. */
function readTexts<Name extends string>(given: Readonly<Record<Name, unknown>>): Partial<Record<Name, string>> {
  const pairs = Object.entries(given).filter(
    ([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number',
  )
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value).slice(0, 100)])) as Partial<
    Record<Name, string>
  >
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
