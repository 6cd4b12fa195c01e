/**
 * The token of a first contact: a client proves with it that the account's devices meant to write to this person. Without it and without a token
 * that the person gave, the network refuses the message with 463 (tulir/whatsmeow `cstoken.go`, Baileys pull request 2438).
 */
import { createHmac } from 'node:crypto'
import { type AuthenticationCreds, type BinaryNode, proto, type SignalDataTypeMap } from '@whiskeysockets/baileys'
import { isTcTokenExpired } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import { bareJid, isLidJid } from '../../../schemas/jid.js'
import type { SyncAction } from './app-state.js'
import { unpooled } from './credentials.js'
import { findBytesField } from './protobuf-fields.js'

/** Credentials with the account's salt, which the library does not know. They are stored sealed. */
interface SaltedCredentials extends AuthenticationCreds {
  contactSalt?: Uint8Array
  /** The salt came with app state, which is newer than any history. */
  contactSaltSynced?: boolean
}

/** Kind of the change of app state that holds the salt. */
const SALT_ACTION = 'nct_salt_sync'
/** Field of the salt in `HistorySync`, of the action in `SyncActionValue`, and of the salt in the action. */
const [HISTORY_FIELD, ACTION_FIELD, SALT_FIELD] = [19, 80, 1]
const SALT_MAX_BYTES = 1_024

/** Bytes of actions that the library has no type for, by the decoded value. */
const saltActions = new WeakMap<object, Uint8Array>()

let isPatched = false

/** Keeps the action of the salt when the library decodes a change of app state (7.0.0-rc14 drops it, as a field that it does not know). */
export function keepSaltActions(): void {
  if (isPatched) return
  isPatched = true
  const decode = proto.SyncActionValue.decode
  proto.SyncActionValue.decode = (reader, length) => {
    if (reader instanceof Uint8Array) return keepSalt(decode(reader, length), reader)
    const { buf, pos, len } = reader
    return keepSalt(decode(reader, length), buf.subarray(pos, length === undefined ? len : pos + length))
  }
}

function keepSalt(value: proto.SyncActionValue, bytes: Uint8Array): proto.SyncActionValue {
  const action = findBytesField(bytes, ACTION_FIELD)
  if (action !== undefined) saltActions.set(value, Uint8Array.from(action))
  return value
}

/** Notes the salt in a change of app state. Returns whether the credentials have changed. A change without a salt takes it away. */
export function noteSyncedSalt(credentials: SaltedCredentials, { index, syncAction }: SyncAction): boolean {
  if (index[0] !== SALT_ACTION) return false
  const action = syncAction.value == null ? undefined : saltActions.get(syncAction.value)
  const salt = action === undefined ? undefined : findBytesField(action, SALT_FIELD)
  const isKept = isSameSalt(credentials.contactSalt, salt) && credentials.contactSaltSynced === true
  if (isKept || (salt !== undefined && salt.length > SALT_MAX_BYTES)) return false
  credentials.contactSaltSynced = true
  credentials.contactSalt = unpooled(salt ?? new Uint8Array())
  return true
}

/** Notes the salt in an unpacked part of the history, unless app state has told one. Returns whether the credentials have changed. */
export function noteHistorySalt(credentials: SaltedCredentials, history: Uint8Array): boolean {
  const salt = findBytesField(history, HISTORY_FIELD)
  if (salt === undefined || salt.length === 0 || salt.length > SALT_MAX_BYTES) return false
  if (credentials.contactSaltSynced === true || isSameSalt(credentials.contactSalt, salt)) return false
  credentials.contactSalt = unpooled(salt)
  return true
}

function isSameSalt(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return Buffer.compare(one ?? new Uint8Array(), other ?? new Uint8Array()) === 0
}

export function hasContactSalt({ contactSalt }: SaltedCredentials): boolean {
  return contactSalt !== undefined && contactSalt.length > 0
}

/**
 * Returns the node for a message to a person, unless the person has given this account a token. Returns none without a salt, and for other
 * addresses than a LID.
 */
export function contactToken(
  { contactSalt }: SaltedCredentials,
  to: string,
  given: SignalDataTypeMap['tctoken'] | undefined,
): BinaryNode[] {
  const lid = bareJid(to)
  if (contactSalt === undefined || contactSalt.length === 0 || !isLidJid(lid)) return []
  if (given !== undefined && given.token.length > 0 && !isTcTokenExpired(given.timestamp)) return []
  const content = createHmac('sha256', contactSalt).update(lid).digest()
  return [{ tag: 'cstoken', attrs: {}, content }]
}
