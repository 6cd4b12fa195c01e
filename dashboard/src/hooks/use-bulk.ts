/** Changes many instances at once: a dry run, then a job, then its progress. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeInstancesRequest, ShowJobReply } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { readSession } from '../api/session.js'

/** Time between two readings of a job that runs. */
const RUNNING_MS = 1_000
const LISTED_MAX = 100

export function useDryRun() {
  return useMutation({
    mutationFn: (body: ChangeInstancesRequest) =>
      call('changeInstances', requireAdmin(), { body: { ...body, dryRun: true } }),
  })
}

export function useChangeInstances() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangeInstancesRequest) => call('changeInstances', requireAdmin(), { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['instances'] }),
  })
}

/** Connects all paired instances that should be connected and are not. Resolves with their number. */
export function useReconnect() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<number> => {
      const body: ChangeInstancesRequest = {
        action: 'connect',
        filter: { wanted: true, status: ['disconnected', 'connecting'] },
      }
      const { count, digest } = await call('changeInstances', requireAdmin(), { body: { ...body, dryRun: true } })
      if (count > 0) await call('changeInstances', requireAdmin(), { body: { ...body, digest } })
      return count
    },
    onSettled: () => Promise.all(['figures', 'instances'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}

/** Reads a job until it has ended. */
export function useJob(id: string) {
  const client = useQueryClient()
  return useQuery<ShowJobReply>({
    queryKey: ['job', id],
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? RUNNING_MS : false),
    queryFn: async ({ signal }): Promise<ShowJobReply> => {
      const told = await call('showJob', requireAdmin(), { query: { id, limit: 1 }, signal })
      if (!isRunning(told)) void client.invalidateQueries({ queryKey: ['instances'] })
      return told
    },
  })
}

/** Lists the instances of a job with one outcome, and their names. A deleted one has none. */
export function useOutcomes(id: string, outcome: 'failed' | 'skipped', count: number) {
  return useQuery({
    queryKey: ['job', id, outcome, count],
    enabled: count > 0,
    queryFn: async ({ signal }) => {
      const { instances } = await call('showJob', requireAdmin(), { query: { id, outcome, limit: LISTED_MAX }, signal })
      return Promise.all(instances.map(async (one) => ({ ...one, name: await describeBulk(one.instance, signal) })))
    },
  })
}

/** Reads the names of some instances. A deleted one has none. */
export function useFoundNames(ids: readonly string[]) {
  return useQuery({
    queryKey: ['names', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await describeBulk(id, signal)] as const))),
  })
}

export function useCancelJob(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('cancelJob', requireAdmin(), { body: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['job', id] }),
  })
}

async function describeBulk(id: string, signal: AbortSignal): Promise<string> {
  const { instances } = await call('findInstances', requireAdmin(), {
    body: { filter: { search: id }, limit: 1 },
    signal,
  })
  return instances[0]?.instance.name ?? id
}

function isRunning({ jobs }: ShowJobReply): boolean {
  return jobs[0]?.state === 'running'
}

function requireAdmin(): Credential {
  const signedIn = readSession()
  if (signedIn === null) throw new Error('Nobody is signed in.')
  return signedIn.credential
}
