/** Instances on their way between installations. Types only. */
import type { Readable } from 'node:stream'
import type { InstanceId, Jid } from '../ids.js'
import type { InstanceRow } from './instances.js'

/** Parts of an instance that an export may carry beside its keys, contacts and chats. */
export interface CarriedParts {
  readonly webhooks: boolean
  /** With those that wait to be sent. */
  readonly messages: boolean
}

/** Instances on their way from one installation to another. */
export interface InstanceTransfer {
  /** @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED, INSTANCE_NOT_PAIRED, SENDS_WAITING */
  check(id: InstanceId, parts: CarriedParts): Promise<void>
  /**
   * From now on it cannot be connected here, and no key of it changes. It must not be wanted connected, and its actor must be paused.
   * @throws GatewayError as `check`, and INSTANCE_CONNECTED
   */
  mark(id: InstanceId, parts: CarriedParts): Promise<void>
  /** It stays here after all. */
  unmark(id: InstanceId): Promise<void>
  /** The file, of one moment. @throws GatewayError INSTANCE_CONNECTED when it is not marked */
  read(id: InstanceId, passphrase: string, parts: CarriedParts): Promise<Readable>
  /** Makes the instance; it is not connected yet. @throws GatewayError INVALID_EXPORT, INSTANCE_EXISTS */
  write(file: AsyncIterable<Uint8Array>, passphrase: string): Promise<InstanceId>
}

/** Sessions of other programs that are taken over, as the parts of a node share them. */

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

interface ImportedSession {
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
