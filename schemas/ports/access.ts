/** Passes, as API and store share them. */
import type { InstanceId } from '../ids.js'
import type { InstanceRow, KeyGrant } from './instances.js'

/** The beginning of every pass, which no other token has. */
export const PASS_PREFIX = 'php_'
/** The beginning of every code of a link, which opens nothing but one pass. */
export const CODE_PREFIX = 'phc_'
/** The beginnings of the pass and the code of a link that only pairs an instance. */
export const PAIRING_PREFIX = 'phl_'
export const PAIRING_CODE_PREFIX = 'phq_'

/** A pass without its secret part. */
export interface PassRow {
  readonly id: string
  /** Null: the pass is an administrator's own. */
  readonly instance: InstanceId | null
  /** True for a code that was not used yet. */
  readonly isCode: boolean
  /** True for one that only pairs the instance, and for the code of such a pass. */
  readonly isPairing: boolean
  /** Kind of token from which it was made. */
  readonly openedBy: 'admin' | 'token' | 'key'
  /** Name of that token in the audit log. */
  readonly actor: string
  readonly created: Date
  /** It ends then unless it is used before. */
  readonly idleEnds: Date
  /** It ends then at the latest. */
  readonly ends: Date
}

/** The pass of a call, and its rights. */
export interface PassAccess {
  readonly pass: PassRow
  /** Null for an administrator's own pass. */
  readonly instance: InstanceRow | null
  /** Rights of the key from which it was made, or to pair. Null: those of a token. */
  readonly key: KeyGrant | null
}

/** The token from which a pass is made. */
export interface PassParent {
  readonly kind: PassRow['openedBy']
  readonly actor: string
  /** The token itself. */
  readonly token: string
  /** Set when the token is an administrator's pass. */
  readonly pass: PassRow | null
  /** Set when the token is a code, which ends when a pass is made from it. */
  readonly code?: PassRow
}

export interface Passes {
  /**
   * Makes a pass for the instance, or an administrator's own for null. Only this answer has its `token`.
   * @throws GatewayError TOO_MANY_PASSES, INSTANCE_NOT_FOUND, INVALID_TOKEN or INVALID_ADMIN_TOKEN when the parent has ended meanwhile
   */
  open(
    parent: PassParent,
    instance: InstanceId | null,
    lifeMs: number | null,
  ): Promise<{ pass: PassRow; token: string }>
  /** Makes a code with which one pass can be made for the instance, or for the administrator. Errors as of `open`. */
  openCode(parent: PassParent, instance: InstanceId | null, lifeMs: number): Promise<{ pass: PassRow; code: string }>
  /** As `openCode`, of a pass that only pairs the instance. */
  openPairing(parent: PassParent, instance: InstanceId, lifeMs: number): Promise<{ pass: PassRow; code: string }>
  /** Finds a code that was not used and has not ended. */
  byCode(code: string, kind: 'admin' | 'instance'): Promise<PassAccess | null>
  /** Finds a pass that has not ended. `isUse`: the call counts against its idle end. */
  byToken(token: string, kind: 'admin' | 'instance', isUse: boolean): Promise<PassAccess | null>
  /**
   * Lists a page of the passes that have not ended, of one instance or all, newest first. `next` is the cursor of the page after it; null when
   * there is none.
   * @throws GatewayError INVALID_REQUEST for a cursor that is none
   */
  list(
    instance: InstanceId | null,
    limit: number,
    cursor?: string,
  ): Promise<{ readonly passes: readonly PassRow[]; readonly next: string | null }>
  /** Ends a pass and those that were made with it. With `instance` only one of that instance. @throws GatewayError PASS_NOT_FOUND */
  end(id: string, instance: InstanceId | null): Promise<void>
}

/** Access keys and administrators' tokens, as API and store share them. */

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
