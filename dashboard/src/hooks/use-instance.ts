/** Reads and changes one instance. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import type {
  ConnectionHistoryReply,
  PasskeyResponseRequest,
  SendTextReply,
  StatusReply,
} from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import { readSession } from '../api/session.js'
import type { StreamEvent } from '../api/stream-event.js'

const PAST_MAX = 20
const NAME_MS = 2_000
/** Readings of the state since the connection after which an account is taken for one without a name. */
const NAME_READINGS_MAX = 10

export function useStatus(id: string, credential: Credential | undefined) {
  /** Number of readings, codes of a pairing included, when the account was first seen connected and without a name. */
  const nameless = useRef<number | null>(null)
  return useQuery({
    queryKey: ['status', id],
    enabled: credential !== undefined,
    queryFn: ({ signal }): Promise<StatusReply> => call('showStatus', requireCredential(credential), { signal }),
    // The name of an account may come after its connection, without an event.
    refetchInterval({ state: { data, dataUpdateCount } }) {
      const isNameless = data?.status.connected === true && !data.instance.profileName
      nameless.current = isNameless ? (nameless.current ?? dataUpdateCount) : null
      return nameless.current !== null && dataUpdateCount - nameless.current < NAME_READINGS_MAX ? NAME_MS : false
    },
  })
}

export function usePasskey(id: string, credential: Credential | undefined, isAsked: boolean) {
  return useQuery({
    queryKey: ['passkey', id],
    enabled: credential !== undefined && isAsked,
    queryFn: ({ signal }) => call('showPasskey', requireCredential(credential), { signal }),
  })
}

export function useConnections(id: string, credential: Credential | undefined) {
  return useQuery({
    queryKey: ['connections', id],
    enabled: credential !== undefined,
    queryFn: ({ signal }): Promise<ConnectionHistoryReply> =>
      call('listConnectionHistory', requireCredential(credential), { query: { limit: PAST_MAX }, signal }),
  })
}

/**
 * Begins or changes a pairing, or connects a paired instance. Without `phone` it is by QR.
 * @param since day since which the number is in use; empty: since its pairing
 */
export function useConnect(id: string, credential: Credential | undefined, since = '') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (phone: string | undefined) =>
      call('connectInstance', requireCredential(credential), {
        body: {
          ...(phone === undefined ? {} : { phone }),
          ...(since === '' ? {} : { number_in_use_since: `${since}T00:00:00Z` }),
        },
      }),
    onSuccess: ({ instance, connected, loggedIn, jid }) => {
      client.setQueryData<StatusReply>(['status', id], (before) =>
        before === undefined ? undefined : { instance, status: { ...before.status, connected, loggedIn, jid } },
      )
    },
    // The answer may be older than an event that came meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: ['status', id] }),
  })
}

/** Stops the instance, or starts it. It keeps its pairing. */
export function useStopped(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (isStopped: boolean) => {
      if (isStopped) await call('stopInstance', requireCredential(credential), { body: {} })
      else await call('startInstance', requireCredential(credential), { body: {} })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['status', id] }),
  })
}

export function useDisconnect(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('disconnectInstance', requireCredential(credential), { body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: ['status', id] }),
  })
}

export function useAnswerPasskey(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer: PasskeyResponseRequest) =>
      call('answerPasskey', requireCredential(credential), { body: answer }),
    onSuccess: (reply) => client.setQueryData(['passkey', id], reply),
  })
}

export function useConfirmPasskey(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('confirmPasskey', requireCredential(credential), { body: {} }),
    onSuccess: (reply) => client.setQueryData(['passkey', id], reply),
  })
}

interface TextToSend {
  readonly number: string
  readonly text: string
  /** The same for each try of one text, so that it is sent once. */
  readonly idempotencyKey: string
}

export function useSendText(credential: Credential | undefined) {
  return useMutation({
    mutationFn: ({ number, text, idempotencyKey }: TextToSend): Promise<SendTextReply> =>
      call('sendText', requireCredential(credential), { body: { number, text }, idempotencyKey }),
  })
}

/** Returns a function that puts a `connection` event into what is shown. A new code is shown at once; anything else is read again. */
export function useConnectionEvents(id: string): (event: StreamEvent) => void {
  const client = useQueryClient()
  return useCallback(
    ({ instance, timestamp }: StreamEvent) => {
      if (!isObject(instance)) return
      const { status, qrcode = '', qrcodeText = '', paircode = '', qrEndsAt } = instance
      const before = client.getQueryData<StatusReply>(['status', id])
      if (before !== undefined && (qrcode !== '' || paircode !== '')) {
        // A reading under way may bring back the code before this one.
        void client.cancelQueries({ queryKey: ['status', id] })
        const currentTime = typeof timestamp === 'number' ? new Date(timestamp).toISOString() : undefined
        const codes = { qrcode: String(qrcode), qrcodeText: String(qrcodeText), paircode: String(paircode) }
        client.setQueryData<StatusReply>(['status', id], {
          instance: { ...before.instance, ...codes, status: 'connecting', ...(currentTime ? { currentTime } : {}) },
          status: { ...before.status, qrEndsAt: typeof qrEndsAt === 'string' ? qrEndsAt : null },
        })
      } else void client.invalidateQueries({ queryKey: ['status', id] })
      void client.invalidateQueries({ queryKey: ['passkey', id] })
      if (status !== before?.instance.status) void client.invalidateQueries({ queryKey: ['connections', id] })
    },
    [client, id],
  )
}

/** Returns true if the signed-in person may connect, disconnect and reset instances. Keys may not. */
export function mayConnect(): boolean {
  return readSession()?.kind !== 'key'
}

/** Returns true if the signed-in person may read, one chat at least. A key may have the scope `send` alone. */
export function mayRead(): boolean {
  const signedIn = readSession()
  return signedIn?.kind !== 'key' || signedIn.scopes.includes('read')
}

/** Returns true if the signed-in person may read what is about more than one chat. */
export function mayReadAll(): boolean {
  const signedIn = readSession()
  return signedIn?.kind !== 'key' || (signedIn.scopes.includes('read') && signedIn.chat === '')
}

/** Returns true if the signed-in person may send. */
export function maySend(): boolean {
  const signedIn = readSession()
  return signedIn?.kind !== 'key' || signedIn.scopes.includes('send')
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
