/**
 * Holds the pass of this tab. The token from which it was made is forgotten. Tabs of the same browser hand it on to each other; when the last
 * one closes, it is gone.
 */
import { useSyncExternalStore } from 'react'
import type { Credential } from './client.js'
import { forgetCalls } from './recent-calls.js'

export interface Session {
  readonly credential: Credential
  /** Instance of the pass; null for an administrator. */
  readonly instanceId: string | null
  /** Name of that instance, to show as whom one is signed in; null for an administrator. */
  readonly name: string | null
  /** Scopes of a key. Empty for tokens, which may do everything of their kind. */
  readonly scopes: readonly ('read' | 'send' | 'change')[]
  readonly kind: 'admin' | 'token' | 'key'
  /** The one chat of a key; empty for all others. */
  readonly chat: string
}

const KEY = 'posthorn.session'
/** Time in which another tab answers. */
const SIBLING_MS = 100

let current: Session | null = null
/** Reason why the sign-in is shown: the pass has ended, or a link did not work. */
export type SignInReason = 'ended' | 'link'
let reason: SignInReason | null = null
let isHeld = false
const listeners = new Set<() => void>()
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('posthorn') : undefined

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, readSession)
}

export function readSession(): Session | null {
  return current
}

export function readSignInReason(): SignInReason | null {
  return reason
}

export function beginSession(next: Session): void {
  reason = null
  keep(next)
}

/** Forgets the pass in all tabs that have it. `why` is null if a person signs out. */
export function forgetSession(why: SignInReason | null): void {
  if (isHeld && why === 'ended') return
  reason = why
  const token = current?.credential.token
  keep(null)
  // A tab may have a sign-in of its own, such as that of a key.
  channel?.postMessage({ type: 'forget', token })
}

/** Runs work that ends the pass of this tab and begins another. Until it is done, an ended pass does not sign the tab out. */
export async function runSignedIn<T>(work: () => Promise<T>): Promise<T> {
  isHeld = true
  try {
    return await work()
  } finally {
    isHeld = false
  }
}

/** Finds the pass of this tab, else that of another tab. Call it once, before the first page. */
export async function restoreSession(): Promise<void> {
  current = readStored()
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { type, token } = data as { type?: unknown; token?: unknown }
    if (type === 'ask' && current !== null) channel.postMessage({ type: 'tell', session: current })
    if (type === 'forget' && current?.credential.token === token) keep(null)
  })
  if (current === null && channel !== undefined) await askSiblings(channel)
}

function askSiblings(siblings: BroadcastChannel): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, SIBLING_MS)
    siblings.addEventListener('message', take)
    siblings.postMessage({ type: 'ask' })

    function take({ data }: MessageEvent<unknown>): void {
      const { type, session: told } = data as { type?: unknown; session?: Session }
      if (type !== 'tell' || told === undefined) return
      keep(told)
      done()
    }

    function done(): void {
      clearTimeout(timer)
      siblings.removeEventListener('message', take)
      resolve()
    }
  })
}

function keep(next: Session | null): void {
  current = next
  if (next === null) forgetCalls()
  try {
    if (next === null) sessionStorage.clear()
    else sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the pass lives until the page is left.
  }
  for (const listener of listeners) listener()
}

function readStored(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null
  } catch {
    return null
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
