/** Reads the operations of the API, tries them, and reads the log of the account's calls. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RequestsQueryParameters } from '../../../schemas/generated.js'
import { type Credential, call, callAny } from '../api/client.js'
import { readOperations } from '../api/document.js'
import type { ShownCall } from '../format/shown.js'
import { useThisInstance } from './use-this-instance.js'

/** The document of a release does not change. */
const DOCUMENT_MS = 60 * 60_000
/** Time between two readings of the log while it is seen. */
const LOG_MS = 5_000
const LOG_PAGE = 100

export interface TrialAnswer {
  readonly status: number
  readonly ms: number
  readonly type: string
  readonly requestId: string
  readonly blob: Blob
  /** Null for what is no text. */
  readonly text: string | null
}

export function useOperations() {
  return useQuery({
    queryKey: ['operations'],
    staleTime: DOCUMENT_MS,
    queryFn: ({ signal }) => readOperations(signal),
  })
}

/** Makes a call as it is shown. An answer of any status is one. */
export function useTrial(credential: Credential) {
  const client = useQueryClient()
  return useMutation({
    // The answer may have a secret.
    gcTime: 0,
    mutationFn: async (shown: ShownCall): Promise<TrialAnswer> => {
      const begunMs = performance.now()
      const response = await callAny(credential, shown)
      const blob = await response.blob()
      const type = response.headers.get('content-type') ?? ''
      const isText = type === '' || /^(text|application)\/(json|plain|csv|x-ndjson)/.test(type)
      return {
        status: response.status,
        ms: Math.round(performance.now() - begunMs),
        type,
        requestId: response.headers.get('x-request-id') ?? '',
        blob,
        text: isText ? await blob.text() : null,
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['requests'] }),
  })
}

export type LogFilter = Pick<RequestsQueryParameters, 'operation' | 'failed' | 'dashboard' | 'key'>

/** The calls of the last day, newest first. */
export function useRequestLog(filter: LogFilter) {
  const { id, credential } = useThisInstance()
  return useInfiniteQuery({
    queryKey: ['requests', id, filter],
    enabled: credential !== undefined,
    refetchInterval: LOG_MS,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      const query = { ...filter, limit: LOG_PAGE, ...(pageParam === undefined ? {} : { before: pageParam }) }
      return call('listRequests', credential, { query, signal })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}
