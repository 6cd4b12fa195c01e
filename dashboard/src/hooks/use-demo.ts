/** The phones of the demo, which its program shows beside the gateway. Other gateways have none. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { gatewayUrl } from '../api/places.js'
import { Problem } from '../api/problem.js'

export interface DemoPhone {
  readonly number: string
  readonly name: string
  readonly messages: readonly {
    readonly id: string
    readonly text: string
    readonly own: boolean
    readonly atMs: number
  }[]
}

const READ_EVERY_MS = 1_500

export function useDemoPhones() {
  return useQuery({
    queryKey: ['demoPhones'],
    // Only while the page is seen.
    refetchInterval: READ_EVERY_MS,
    queryFn: ({ signal }) => askDemo<readonly DemoPhone[]>({ method: 'GET', signal }),
  })
}

export function useWriteOnPhone() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (message: { readonly from: string; readonly to: string; readonly text: string }) =>
      askDemo<{ readonly id: string }>({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['demoPhones'] }),
  })
}

/** Scans the QR of a pairing with a phone of the demo, or types its code there. */
export function useLinkPhone() {
  return useMutation({
    mutationFn: (shown: { readonly phone: string; readonly qr?: string; readonly code?: string }) =>
      askDemo<{ readonly status: string }>(
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(shown) },
        'scan',
      ),
  })
}

/** @throws Problem if the demo refuses, or does not answer */
async function askDemo<Reply>(init: RequestInit, what: 'phones' | 'scan' = 'phones'): Promise<Reply> {
  const answer = await fetch(`${gatewayUrl}/demo/${what}`, { ...init, credentials: 'omit', cache: 'no-store' }).catch(
    () => {
      throw new Problem('OFFLINE', 0, 'The demo does not answer.')
    },
  )
  const body = (await answer.json()) as Reply & { readonly error?: string }
  if (!answer.ok) throw new Problem('DEMO', answer.status, body.error ?? '')
  return body
}
