/** Instances on their way between installations. Types only. */

import type { Readable } from 'node:stream'
import type { InstanceId } from '../ids.js'

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
