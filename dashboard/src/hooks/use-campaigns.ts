/** Reads and changes campaigns and the list of people who get none. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ImportCampaignReply,
  ImportCampaignRequest,
  ListCampaignMessagesRequest,
} from '../../../schemas/generated.js'
import { type Credential, call, makeCredentialHeader } from '../api/client.js'
import { gatewayUrl } from '../api/places.js'
import { Problem, readProblem } from '../api/problem.js'
import type { LocalFile } from '../features/composer/content.js'
import { fillBody } from '../features/composer/filled-body.js'
import { useInstanceEvents } from './use-this-instance.js'

export type RecipientFilter = NonNullable<ListCampaignMessagesRequest['messageStatus']>

const PAGE = 100
const SUPPRESSED_PAGE = 200

export function useCampaigns(id: string, credential: Credential | undefined) {
  return useQuery({
    queryKey: ['campaigns', id],
    enabled: credential !== undefined,
    queryFn: ({ signal }) => call('listCampaigns', requireCredential(credential), { signal }),
  })
}

export function useCampaign(id: string, credential: Credential | undefined, folder: string) {
  return useQuery({
    queryKey: ['campaigns', id, folder],
    enabled: credential !== undefined,
    queryFn: ({ signal }) => call('showCampaign', requireCredential(credential), { query: { id: folder }, signal }),
  })
}

/** What became of the recipients over time. It is read again with the campaign. */
export function useCampaignCourse(id: string, credential: Credential | undefined, folder: string) {
  return useQuery({
    queryKey: ['campaigns', id, folder, 'course'],
    enabled: credential !== undefined,
    queryFn: ({ signal }) =>
      call('showCampaignCourse', requireCredential(credential), { query: { id: folder }, signal }),
  })
}

export function useRecipients(
  id: string,
  credential: Credential | undefined,
  folder: string,
  filter?: RecipientFilter,
) {
  return useInfiniteQuery({
    queryKey: ['campaigns', id, folder, 'recipients', filter ?? 'all'],
    enabled: credential !== undefined,
    initialPageParam: -1,
    queryFn: ({ pageParam, signal }) =>
      call('listCampaignMessages', requireCredential(credential), {
        body: {
          folder_id: folder,
          pageSize: PAGE,
          after: pageParam,
          ...(filter === undefined ? {} : { messageStatus: filter }),
        },
        signal,
      }),
    getNextPageParam: ({ next }) => next,
  })
}

/** Reads again what is shown when a campaign moves on. The event comes every five seconds at most. */
export function useLiveCampaigns(id: string): void {
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open') void client.invalidateQueries({ queryKey: ['campaigns', id] })
    else if (event.EventType === 'sender') {
      void client.invalidateQueries({ queryKey: ['campaigns', id], exact: true })
      void client.invalidateQueries({ queryKey: ['campaigns', id, String(event.folder_id)] })
    }
  })
}

/** Changes campaigns by one operation, and reads them again. */
export function useCampaignWrite<One extends 'editCampaign' | 'copyCampaign'>(
  id: string,
  credential: Credential | undefined,
  name: One,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Parameters<typeof call<One>>[2]['body']) =>
      call(name, requireCredential(credential), { body } as Parameters<typeof call<One>>[2]),
    onSettled: () => client.invalidateQueries({ queryKey: ['campaigns', id] }),
  })
}

export interface ImportCall {
  /** Local files stand in it as their marks. */
  readonly body: Readonly<Record<string, unknown>>
  readonly files: ReadonlyMap<string, LocalFile>
  readonly idempotencyKey?: string
}

/** Checks or begins a campaign of a list. */
export function useImport(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ body, files, idempotencyKey }: ImportCall): Promise<ImportCampaignReply> =>
      call('importCampaign', requireCredential(credential), {
        // The form makes a body of the operation; the gateway checks it again.
        body: (await fillBody(body, files)) as unknown as ImportCampaignRequest,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['campaigns', id] }),
  })
}

/** Fetches the results of a campaign as CSV. */
export function useResults(credential: Credential | undefined) {
  return useMutation({
    mutationFn: async (folder: string): Promise<Blob> => {
      const url = `${gatewayUrl}/sender/results?folder_id=${encodeURIComponent(folder)}`
      const response = await fetch(url, {
        headers: makeCredentialHeader(requireCredential(credential)),
        credentials: 'omit',
      }).catch(() => {
        throw new Problem('OFFLINE', 0, 'The gateway does not answer.')
      })
      if (!response.ok) throw await readProblem(response)
      return response.blob()
    },
  })
}

export function useSuppressed(id: string, credential: Credential | undefined) {
  return useInfiniteQuery({
    queryKey: ['suppressed', id],
    enabled: credential !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('listSuppressions', requireCredential(credential), {
        query: { limit: SUPPRESSED_PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next }) => next,
  })
}

export function useLiveSuppressed(id: string): void {
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType === 'suppressions')
      void client.invalidateQueries({ queryKey: ['suppressed', id] })
  })
}

interface NewSuppressions {
  readonly numbers: string[]
  readonly reason?: string
  readonly until?: string
}

export function useAddSuppressions(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewSuppressions) => call('addSuppressions', requireCredential(credential), { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['suppressed', id] }),
  })
}

export function useRemoveSuppression(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (number: string) =>
      call('removeSuppressions', requireCredential(credential), { body: { numbers: [number] } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['suppressed', id] }),
  })
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
