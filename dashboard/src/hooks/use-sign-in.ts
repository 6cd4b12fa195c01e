import { useMutation } from '@tanstack/react-query'
import { type Credential, call } from '../api/client.js'
import { Problem } from '../api/problem.js'
import { beginSession, forgetSession, readSession } from '../api/session.js'

export interface TypedToken {
  readonly kind: 'admin' | 'instance'
  readonly token: string
}

/** Exchanges a token for a pass. The token is kept nowhere. */
export function useSignIn() {
  return useMutation({
    gcTime: 0,
    mutationFn: ({ kind, token }: TypedToken) => signIn(kind === 'admin' ? 'admintoken' : 'token', token.trim()),
  })
}

/** Signs in by the code of a link, if the address has one, and takes it out of the address at once. */
export async function signInByLink(): Promise<void> {
  const code = /^#welcome=([\w-]{1,200})$/.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(null, '', location.pathname + location.search)
  try {
    await signIn('admintoken', code).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) return signIn('token', code)
      throw error
    })
  } catch {
    forgetSession('link')
  }
}

async function signIn(header: Credential['header'], token: string): Promise<void> {
  const pass = await call('openPass', { header, token }, { body: {} })
  const credential: Credential = { header, token: pass.token }
  const { kind, scopes, chat, instance } = await call('showPass', credential, {})
  beginSession({ credential, kind, scopes, chat, instanceId: instance?.id ?? null, name: instance?.name ?? null })
}

/** Ends the pass at the gateway and forgets it here, also if the gateway does not answer. */
export async function signOut(): Promise<void> {
  const ending = readSession()
  if (ending === null) return
  const ended = call('endPass', ending.credential, {})
  forgetSession(null)
  await ended.catch(() => undefined)
}
