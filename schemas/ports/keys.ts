/** Access keys and administrators' tokens, as API and store share them. Types only. */

import type { InstanceId } from '../ids.js'
import type { KeyGrant } from './instances.js'

/** A key without its secret part. */
export interface KeyRow extends KeyGrant {
  readonly name: string
  /** The beginning of the key, by which people recognise it. */
  readonly prefix: string
  readonly created: Date
  /** Null: when it is revoked. */
  readonly ends: Date | null
}

export interface AccessKeys {
  /**
   * Creates a key. Only this answer has its `token`. `lifeMs: null`: it has no end.
   * @throws GatewayError TOO_MANY_KEYS, INSTANCE_NOT_FOUND
   */
  create(
    instance: InstanceId,
    key: Pick<KeyRow, 'name' | 'scopes' | 'chat'> & { readonly lifeMs: number | null },
  ): Promise<{ key: KeyRow; token: string }>
  /** Lists the keys that have not ended, the oldest first. */
  list(instance: InstanceId): Promise<readonly KeyRow[]>
  /** @throws GatewayError KEY_NOT_FOUND */
  revoke(instance: InstanceId, id: string): Promise<void>
}

export interface AdminTokens {
  /** A name for the token that tells nothing of it; null when it is none. Compares in constant time. */
  identify(token: string): Promise<string | null>
  /** Makes one that is valid on every node, told only here. All others end then, or after the time given. */
  rotate(graceMs: number): Promise<{ token: string; othersEnd: Date }>
}
