import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { forgetAccess, listKeptInstances } from './api/kept-access.js'
import { loadFile } from './api/new-build.js'
import { isFinal, Problem } from './api/problem.js'
import { forgetSession, readSession, restoreSession } from './api/session.js'
import { prefetchState } from './hooks/use-access.js'
import { openPairing } from './hooks/use-pairing-link.js'
import { signInByLink } from './hooks/use-sign-in.js'
import { loadPage, router } from './routes.js'
import './styles/base.css'
import { loadWords } from './words/index.js'

const PairPage = lazy(async () => ({ default: (await loadFile(() => import('./pages/pair.js'))).PairPage }))

const RETRIES = 2

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey: [, id] }) => onRefused(error, id),
  }),
  mutationCache: new MutationCache({ onError: (error) => onRefused(error) }),
  defaultOptions: { queries: { retry: (count, error) => count < RETRIES && !isFinal(error), staleTime: 5_000 } },
})

/** Shows the sign-in when the pass has ended. An administrator's pass for one instance ends by itself: another is made. */
function onRefused(error: Error, id?: unknown): void {
  if (!(error instanceof Problem) || error.status !== 401) return
  const signedIn = readSession()
  if (signedIn === null) return
  if (signedIn.instanceId === null && error.code === 'INVALID_TOKEN') {
    for (const one of id === undefined ? listKeptInstances() : [String(id)]) forgetAccess(one)
    void client.invalidateQueries({ queryKey: id === undefined ? ['access'] : ['access', id] })
  } else forgetSession('ended')
}

// Its address is relative to the first view: another view would ask for it in another folder.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
icon?.setAttribute('href', icon.href)

void start()

/** Draws the page. Nothing here may wait at the top level: files that load later import from this one, and would wait for it. */
async function start(): Promise<void> {
  // The words, the session and the code of the page come at the same time.
  const [pairing] = await Promise.all([signInOrPair(), loadWords()])
  const page = pairing === null ? <RouterProvider router={router} /> : <PairPage pass={pairing} />
  const root = document.getElementById('root')
  if (root !== null)
    createRoot(root).render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={client}>
            <Suspense>{page}</Suspense>
          </QueryClientProvider>
        </CSPProvider>
      </StrictMode>,
    )
}

async function signInOrPair() {
  const opened = await openPairing()
  if (opened !== null) return opened
  await restoreSession()
  await signInByLink()
  loadPage()
  // A page tells what went wrong when it asks itself.
  void prefetchState(client).catch(() => undefined)
  return null
}
