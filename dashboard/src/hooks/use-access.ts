/** Finds the token for calls on an instance: the pass of the sign-in, or a pass that the administrator makes for this instance. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { type Credential, call } from '../api/client.js'
import { findKeptAccess, forgetAccess, keepAccess } from '../api/kept-access.js'
import { findPlace } from '../api/places.js'
import { forgetSession, readSession, type Session, useSession } from '../api/session.js'

/** Passes live for 12 hours at most, and 30 minutes without a call. */
const FRESH_MS = 10 * 60_000
/** Time after which a sign of a person moves the end of their passes again. */
const RENEW_MS = 5 * 60_000

/** Without an id there is nothing to find. */
export function useAccess(id: string | undefined): {
  credential: Credential | undefined
  error: Error | null
  retry: () => void
} {
  const signedIn = useSession()
  const own = signedIn !== null && signedIn.instanceId !== null ? signedIn.credential : undefined
  const { data, error, refetch } = useQuery({
    ...makeAccessQuery(id ?? '', signedIn),
    enabled: id !== undefined && own === undefined && signedIn !== null,
  })
  return { credential: own ?? data, error: own === undefined ? error : null, retry: () => void refetch() }
}

/** Resolves with the token for calls on an instance, for work outside of its pages. */
export async function fetchAccess(client: QueryClient, id: string): Promise<Credential> {
  const signedIn = readSession()
  if (signedIn !== null && signedIn.instanceId !== null) return signedIn.credential
  return await client.fetchQuery(makeAccessQuery(id, signedIn))
}

/** Asks for the state of the instance that the address names, which its page needs, while the code of the page loads. */
export async function prefetchState(client: QueryClient): Promise<void> {
  const id = findPlace(location.pathname)?.id
  if (id === undefined || readSession() === null) return
  const credential = await fetchAccess(client, id)
  await client.prefetchQuery({
    queryKey: ['status', id],
    queryFn: ({ signal }) => call('showStatus', credential, { signal }),
  })
}

/** Returns a function that handles a refused token: an instance's pass of an administrator is made again, any other ends the sign-in. */
export function useRefused(id: string | null): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    const signedIn = readSession()
    if (signedIn === null) return
    if (id !== null && signedIn.instanceId === null) {
      forgetAccess(id)
      void client.invalidateQueries({ queryKey: ['access', id] })
    } else forgetSession('ended')
  }, [client, id])
}

/** Keeps the passes alive while a person works: a stream that stays open is not a use, and reading makes no calls. */
export function useRenewedPasses(): void {
  const client = useQueryClient()
  const signedIn = useSession()
  useEffect(() => {
    if (signedIn === null) return undefined
    let renewed = Date.now()
    const renew = () => {
      if (Date.now() - renewed < RENEW_MS) return
      renewed = Date.now()
      const ofInstances = client.getQueriesData<Credential>({ queryKey: ['access'], type: 'active' })
      // One that has ended shows itself at the next call.
      for (const credential of [signedIn.credential, ...ofInstances.map(([, one]) => one)])
        if (credential !== undefined) void call('showPass', credential, {}).catch(() => undefined)
    }
    for (const kind of SIGNS) addEventListener(kind, renew, { passive: true, capture: true })
    return () => {
      for (const kind of SIGNS) removeEventListener(kind, renew, { capture: true })
    }
  }, [client, signedIn])
}

/** Events by which a person shows to be there. */
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const

function makeAccessQuery(id: string, signedIn: Session | null) {
  return queryOptions({
    queryKey: ['access', id],
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    queryFn: async (): Promise<Credential> => {
      if (signedIn === null) throw new Error('Nobody is signed in.')
      // A page that is loaded again uses the pass that it had.
      const parent = signedIn.credential.token
      const kept = findKeptAccess(id, parent)
      if (kept !== undefined) return { header: 'token', token: kept }
      const { token } = await call('openInstancePass', signedIn.credential, { params: { id }, body: {} })
      if (readSession()?.credential.token === parent) keepAccess(id, parent, token)
      return { header: 'token', token }
    },
  })
}
