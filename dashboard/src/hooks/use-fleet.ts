/** Reads what concerns the whole installation, for administrators. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuditQueryParameters, TrafficQueryParameters } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { readSession } from '../api/session.js'

/** Time between two readings of the cluster while its page is seen. */
const CLUSTER_MS = 2_000
/** Time between two readings of the figures while their page is seen. */
const FIGURES_MS = 15_000
/** Time between two readings of the traffic while its page is seen. */
const TRAFFIC_MS = 60_000
const AUDIT_PAGE = 200

export function useNodes({ isLive = true, isAsked = true } = {}) {
  return useQuery({
    queryKey: ['nodes'],
    enabled: isAdmin() && isAsked,
    refetchInterval: isLive && CLUSTER_MS,
    queryFn: ({ signal }) => call('listNodes', requireAdmin(), { signal }),
  })
}

export function useShards() {
  return useQuery({
    queryKey: ['shards'],
    enabled: isAdmin(),
    refetchInterval: CLUSTER_MS,
    queryFn: ({ signal }) => call('listShards', requireAdmin(), { signal }),
  })
}

export function useDrain() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (node: string) => call('drainNode', requireAdmin(), { params: { id: node } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['nodes'] }),
  })
}

export function useFigures() {
  return useQuery({
    queryKey: ['figures'],
    enabled: isAdmin(),
    refetchInterval: FIGURES_MS,
    queryFn: ({ signal }) => call('showFigures', requireAdmin(), { signal }),
  })
}

/** Traffic of the last hours. A node writes its part every five minutes. */
export function useTraffic(query: Pick<TrafficQueryParameters, 'hours' | 'stepMinutes'>) {
  return useQuery({
    queryKey: ['traffic', query],
    enabled: isAdmin(),
    refetchInterval: TRAFFIC_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('showTraffic', requireAdmin(), { query, signal }),
  })
}

export function useAudit(query: Omit<AuditQueryParameters, 'limit'>) {
  return useQuery({
    queryKey: ['audit', query],
    enabled: isAdmin(),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('listAudit', requireAdmin(), { query: { ...query, limit: AUDIT_PAGE }, signal }),
  })
}

/** Finds instances by name, number or id. With `isOpen` some are found before anything is searched. */
export function useSearchedInstances(search: string, limit: number, isOpen = false) {
  const filter = search === '' ? {} : { search }
  return useQuery({
    queryKey: ['searched', search, limit],
    enabled: isAdmin() && (isOpen || search !== ''),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('findInstances', requireAdmin(), { body: { filter, limit, sort: '+name' }, signal }),
  })
}

/** Returns true if an administrator is signed in. */
export function isAdmin(): boolean {
  return readSession()?.kind === 'admin'
}

function requireAdmin(): Credential {
  const signedIn = readSession()
  if (signedIn === null) throw new Error('Nobody is signed in.')
  return signedIn.credential
}
