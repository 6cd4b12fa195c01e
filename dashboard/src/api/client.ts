/** Calls operations of the gateway. Hooks are its only callers. */
import type { Operations } from './generated.js'
import { loadFile } from './new-build.js'
import { gatewayUrl } from './places.js'
import { Problem, readProblem } from './problem.js'
import { rememberCall } from './recent-calls.js'
import type { ShownCall } from './shown-call.js'

/** A token in the header that it belongs into. */
export interface Credential {
  readonly header: 'token' | 'admintoken'
  readonly token: string
}

export type Name = keyof Operations
export type Given<One extends Name> = {
  readonly signal?: AbortSignal | undefined
  readonly idempotencyKey?: string
} & (Operations[One]['body'] extends undefined
  ? { readonly body?: undefined }
  : { readonly body: Operations[One]['body'] }) &
  (Operations[One]['query'] extends undefined
    ? { readonly query?: undefined }
    : { readonly query?: Operations[One]['query'] }) &
  ([Operations[One]['params']] extends [never]
    ? { readonly params?: undefined }
    : { readonly params: Readonly<Record<Operations[One]['params'], string>> })

/** @throws Problem if the gateway refuses, or does not answer */
export async function call<One extends Name>(
  name: One,
  credential: Credential,
  { body, query, params, idempotencyKey, signal }: Given<One>,
): Promise<Operations[One]['reply']> {
  // The list of all operations comes beside the page, not before the sign-in.
  const { buildShownCall } = await loadFile(() => import('./shown-call.js'))
  const shown = buildShownCall(name, { body, query, params } as Given<One>, credential.header)
  // Calls about the sign-in say nothing to a program, which has its own token.
  if (!/pass/i.test(name)) rememberCall(shown)
  const { method, base, path } = shown
  const headers: Record<string, string> = { accept: 'application/json', ...makeCredentialHeader(credential) }
  const hasBody = method === 'POST' || method === 'PUT'
  if (hasBody) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const response = await send(base + path, {
    method,
    headers,
    ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw await readProblem(response)
  return (await response.json()) as Operations[One]['reply']
}

/** Fetches the picture of a chat; of the own account without a number. Returns null if there is none. @throws Problem as `call` */
export async function callPicture(
  credential: Credential,
  body: { readonly number?: string; readonly preview: boolean },
  signal: AbortSignal,
): Promise<Blob | null> {
  const headers = { 'content-type': 'application/json', ...makeCredentialHeader(credential) }
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
  const response = await send(`${gatewayUrl}/chat/picture`, init)
  if (!response.ok) throw await readProblem(response)
  return response.status === 204 ? null : await response.blob()
}

/** Makes a call as it is shown, and returns any answer. @throws Problem OFFLINE */
export async function callAny(credential: Credential, { method, base, path, body }: ShownCall): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json, */*', ...makeCredentialHeader(credential) }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return send(base + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

export function makeCredentialHeader({ header, token }: Credential): Record<string, string> {
  return { [header]: token }
}

/** @throws Problem OFFLINE */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', cache: 'no-store', redirect: 'error' })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new Problem('OFFLINE', 0, 'The gateway does not answer.')
  }
}
