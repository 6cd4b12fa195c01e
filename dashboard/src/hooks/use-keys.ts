/** Reads and changes the keys and passes of the instance around the page. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CreateKeyRequest, PassesReply } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { readApiDocument } from '../api/document.js'
import { useThisInstance } from './use-this-instance.js'

/** @param isAsked False: the reader may not see them. */
export function useKeys(isAsked = true) {
  const { id, credential } = useThisInstance()
  return useQuery({
    queryKey: ['keys', id],
    enabled: isAsked && credential !== undefined,
    queryFn: ({ signal }) => call('listKeys', requireCredential(credential), { signal }),
  })
}

export function useCreateKey() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    // The reply has the key.
    gcTime: 0,
    mutationFn: (body: CreateKeyRequest) => call('createKey', requireCredential(credential), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys', id] }),
  })
}

export function useDeleteKey() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call('deleteKey', requireCredential(credential), { params: { id: key } }),
    onSettled: () => Promise.all(['keys', 'passes'].map((name) => client.invalidateQueries({ queryKey: [name, id] }))),
  })
}

export function usePasses() {
  const { id, credential } = useThisInstance()
  return useInfiniteQuery({
    queryKey: ['passes', id],
    enabled: credential !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<PassesReply> =>
      call('listPasses', requireCredential(credential), {
        query: { limit: 100, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Ends passes one after the other. One that has ended meanwhile is not an error. */
export function useEndPasses() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (passes: readonly string[]) => {
      for (const pass of passes)
        await call('endListedPass', requireCredential(credential), { params: { id: pass } }).catch(ignoreEnded)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['passes', id] }),
  })
}

/** Finds the id of the pass of this tab, so that the list can name it. */
export function useOwnPass() {
  const { id, credential } = useThisInstance()
  return useQuery({
    queryKey: ['pass', id],
    enabled: credential !== undefined,
    queryFn: async ({ signal }) => (await call('showPass', requireCredential(credential), { signal })).pass?.id ?? '',
  })
}

/** Lists the operations of the API with the scope that a key needs for them. */
export function useKeyOperations(isAsked: boolean) {
  return useQuery({
    queryKey: ['document'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readApiDocument(signal),
  })
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
