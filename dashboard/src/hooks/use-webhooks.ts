/** Reads and changes the webhooks of an instance, or the one that receives the events of all instances. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  DeadLettersReply,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryReply,
  EventKind,
  ReceiverFiguresReply,
  ReplayWebhookReply,
  ReplayWebhookRequest,
  SetWebhookRequest,
  TestWebhookReply,
  Webhook,
} from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { Problem } from '../api/problem.js'
import { readSession } from '../api/session.js'
import type { Scope } from './use-operation.js'

export interface WebhookOwner extends Scope {
  /** True for the webhook of all instances. */
  readonly isGlobal: boolean
}

export interface DeadLetterFilter {
  readonly webhookId?: string
  /** Time from which dead letters count, ISO 8601. */
  readonly from?: string
  readonly event?: EventKind
}

/** Dead letters of one page. */
export const DEAD_LETTERS = 100

/** Time between two looks at webhooks while a receiver is away. */
const AWAY_LOOK_MS = 5_000

export function useWebhooks(owner: WebhookOwner) {
  return useQuery<readonly Webhook[]>({
    queryKey: ['webhooks', owner.id],
    enabled: owner.credential !== undefined,
    refetchInterval: ({ state }) => (state.data?.some(isAway) === true ? AWAY_LOOK_MS : false),
    queryFn: async ({ signal }) => {
      if (!owner.isGlobal) return call('listWebhooks', requireCredential(owner), { signal })
      try {
        return [await call('getGlobalWebhook', requireCredential(owner), { signal })]
      } catch (error) {
        if (error instanceof Problem && error.code === 'WEBHOOK_NOT_FOUND') return []
        throw error
      }
    },
  })
}

/** Sends a sample to a webhook now. */
export function useTestWebhook(owner: WebhookOwner) {
  return useMutation({
    mutationFn: (id: string): Promise<TestWebhookReply> =>
      owner.isGlobal
        ? call('testGlobalWebhook', requireCredential(owner), { body: {} })
        : call('testWebhook', requireCredential(owner), { body: { id } }),
  })
}

/** Makes, changes or deletes a webhook. A new one is the last of the answer, with its secret. */
export function useSetWebhook(owner: WebhookOwner) {
  const client = useQueryClient()
  return useMutation({
    // The answer may have a secret.
    gcTime: 0,
    mutationFn: async (body: SetWebhookRequest): Promise<readonly Webhook[]> => {
      if (!owner.isGlobal) return call('setWebhook', requireCredential(owner), { body })
      const { id: _, action: __, url = '', events = [], ...rest } = body
      return [await call('setGlobalWebhook', requireCredential(owner), { body: { url, events, ...rest } })]
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', owner.id] }),
  })
}

/** Deliveries of one page. */
const DELIVERIES = 50

export function useDeliveries(owner: WebhookOwner, filter: Pick<DeliveriesQuery, 'webhookId' | 'state' | 'event'>) {
  return useInfiniteQuery({
    queryKey: ['deliveries', owner.id, filter],
    enabled: owner.credential !== undefined,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<DeliveriesReply> => {
      const { webhookId, ...rest } = filter
      const query = { ...rest, limit: DELIVERIES, ...(pageParam === undefined ? {} : { cursor: pageParam }) }
      return owner.isGlobal
        ? call('listGlobalDeliveries', requireCredential(owner), { query, signal })
        : call('listDeliveries', requireCredential(owner), {
            query: webhookId === undefined ? query : { ...query, webhookId },
            signal,
          })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Deliveries to each webhook in this time. */
export function useReceiverFigures(owner: WebhookOwner, hours: number) {
  return useQuery({
    queryKey: ['receiverFigures', owner.id, hours],
    enabled: owner.credential !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<ReceiverFiguresReply> =>
      call(owner.isGlobal ? 'showGlobalReceiverFigures' : 'showReceiverFigures', requireCredential(owner), {
        query: { hours },
        signal,
      }),
  })
}

/** Time between two looks at an open delivery that waits for its next attempt. */
const ON_ITS_WAY_LOOK_MS = 1_500

export function useDelivery(owner: WebhookOwner, id: string) {
  return useQuery<DeliveryReply>({
    queryKey: ['delivery', owner.id, id],
    enabled: owner.credential !== undefined,
    refetchInterval: ({ state }) => (isOnItsWay(state.data) ? ON_ITS_WAY_LOOK_MS : false),
    queryFn: ({ signal }) =>
      call(owner.isGlobal ? 'showGlobalDelivery' : 'showDelivery', requireCredential(owner), {
        params: { id },
        signal,
      }),
  })
}

export function useDeadLetters(owner: WebhookOwner, filter: DeadLetterFilter, offset: number) {
  return useQuery({
    queryKey: ['deadLetters', owner.id, filter, offset],
    enabled: owner.credential !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<DeadLettersReply> => {
      const { webhookId, ...rest } = filter
      const query = { ...rest, limit: DEAD_LETTERS, offset }
      return owner.isGlobal
        ? call('listGlobalDeadLetters', requireCredential(owner), { query, signal })
        : call('listDeadLetters', requireCredential(owner), {
            query: webhookId === undefined ? query : { ...query, webhookId },
            signal,
          })
    },
  })
}

export function useReplay(owner: WebhookOwner) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ webhookId, ...body }: ReplayWebhookRequest): Promise<ReplayWebhookReply> =>
      owner.isGlobal
        ? call('replayGlobalWebhook', requireCredential(owner), { body })
        : call('replayWebhook', requireCredential(owner), {
            body: webhookId === undefined ? body : { ...body, webhookId },
          }),
    onSettled: () =>
      Promise.all(
        ['deadLetters', 'deliveries', 'delivery'].map((list) =>
          client.invalidateQueries({ queryKey: [list, owner.id] }),
        ),
      ),
  })
}

/** Delivers the dead letters of the webhook of all instances again, as an administrator. */
export function useReplayOfAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<ReplayWebhookReply> => {
      const signedIn = readSession()
      if (signedIn === null) throw new Error('Nobody is signed in.')
      return call('replayGlobalWebhook', signedIn.credential, { body: {} })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['figures'] }),
  })
}

function isOnItsWay(reply: DeliveryReply | undefined): boolean {
  return reply?.delivery.state === 'waiting' || reply?.delivery.state === 'failed'
}

function isAway({ breaker }: Webhook): boolean {
  return breaker?.state === 'open' || breaker?.state === 'half_open'
}

function requireCredential({ credential }: Scope) {
  if (credential === undefined) throw new Error('There is no pass yet.')
  return credential
}
