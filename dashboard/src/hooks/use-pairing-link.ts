/** Links that only pair an instance: making one, and being opened by one. Their pass is kept apart from that of the console. */
import { useMutation } from '@tanstack/react-query'
import { type Credential, call } from '../api/client.js'
import { dashboardPath } from '../api/places.js'

/** The pass of a pairing link. */
export interface PairingPass {
  readonly id: string
  readonly name: string
  readonly credential: Credential
  /** Time at which it ends at the latest. */
  readonly ends: string
}

const KEY = 'posthorn.pairing'
const LINK = /^#pair=([\w-]{1,200})$/

/** Makes a link. Its code is in the fragment, which browsers do not send. */
export function useMakePairingLink(credential: Credential | undefined) {
  return useMutation({
    gcTime: 0,
    mutationFn: async (): Promise<string> => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      const { code } = await call('openPairingLink', credential, { body: {} })
      return `${new URL(dashboardPath, location.origin).href}#pair=${code}`
    },
  })
}

/**
 * Exchanges the code of the link for its pass, and takes it out of the address. Returns the pass of an earlier load of this tab without a link
 * in the address, null if there is none, and `ended` if the code is refused.
 */
export async function openPairing(): Promise<PairingPass | 'ended' | null> {
  // A link that is opened in a tab of the console changes the fragment only.
  addEventListener('hashchange', () => {
    if (LINK.test(location.hash)) location.reload()
  })
  const code = LINK.exec(location.hash)?.[1]
  if (code === undefined) return readKept()
  history.replaceState(null, '', location.pathname + location.search)
  try {
    const made = await call('openPass', { header: 'token', token: code }, { body: {} })
    const credential: Credential = { header: 'token', token: made.token }
    const { instance } = await call('showPass', credential, {})
    const pass = { id: instance?.id ?? '', name: instance?.name ?? '', credential, ends: made.pass.ends }
    keep(pass)
    return pass
  } catch {
    keep(null)
    return 'ended'
  }
}

/** Forgets the pass, so that the next load of this tab shows the console. */
export function forgetPairing(): void {
  keep(null)
}

function keep(pass: PairingPass | null): void {
  try {
    if (pass === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(pass))
  } catch {
    // Without storage the pass lives until the page is left.
  }
}

function readKept(): PairingPass | null {
  try {
    const pass = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as PairingPass | null
    return pass !== null && Date.parse(pass.ends) > Date.now() ? pass : null
  } catch {
    return null
  }
}
