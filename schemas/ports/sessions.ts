/** Sessions of other programs that are taken over, as the parts of a node share them. Types only. */
import type { Jid } from '../ids.js'
import type { InstanceRow } from './instances.js'

/** A session that was checked, in the form in which the store keeps it. */
export interface ForeignSession {
  /** Number and LID of the account. */
  readonly owner: { readonly jid: Jid; readonly lid: Jid | null }
  readonly profileName: string
  readonly platform: string
  readonly credentials: Uint8Array
  readonly keys: readonly { readonly kind: string; readonly id: string; readonly value: Uint8Array }[]
  /** Numbers that the other program knew for LIDs. */
  readonly mappings: readonly { readonly lid: Jid; readonly pn: Jid }[]
  /** Names of files that were left out, as far as they are many. */
  readonly ignored: readonly string[]
  readonly ignoredCount: number
}

export interface ImportedSession {
  readonly instance: InstanceRow
  readonly token: string
  /** Number of keys that were taken over. */
  readonly keyCount: number
  readonly ignored: readonly string[]
  readonly ignoredCount: number
}

export interface SessionImports {
  /**
   * Makes an instance from the session of another program: a JSON document or a tar archive, packed or not.
   * @throws GatewayError INVALID_SESSION, ACCOUNT_EXISTS, RATE_LIMITED; nothing is changed then
   */
  take(
    file: AsyncIterable<Uint8Array>,
    instance: { readonly name: string; readonly systemName: string; readonly tags: readonly string[] },
  ): Promise<ImportedSession>
}
