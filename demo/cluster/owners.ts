/** Which node holds which account, and since when: from the log of the simulated network, which has seen each login. */
import type { Calls } from '../calls.js'

export interface Held {
  readonly node: string
  /** In milliseconds since 1970. */
  readonly sinceMs: number
}

interface Login {
  readonly phoneNumber: string
  readonly node: string | null
  readonly atMs: number
  readonly end: string | null
}

/** By phone number; accounts that nobody holds at this moment are left out. */
export async function owners(calls: Calls): Promise<ReadonlyMap<string, Held>> {
  const logins = await calls.tellNetwork<Login[]>('GET', '/log/logins')
  return new Map(
    logins.flatMap(({ phoneNumber, node, atMs, end }) =>
      node === null || end !== null ? [] : [[phoneNumber, { node, sinceMs: atMs }] as const],
    ),
  )
}
