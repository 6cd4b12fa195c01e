/** Checks the credentials of another Baileys program: complete, of one account, and of keys that belong together. */
import { type AuthenticationCreds, initAuthCreds, type KeyPair, type proto } from '@whiskeysockets/baileys'
import { generateSignalPubKey } from '@whiskeysockets/baileys/lib/Utils/crypto.js'
import { invalidSession } from '../../../schemas/session.js'
import { nativeX25519 } from './x25519.js'
import { nativeXeddsa } from './xeddsa.js'

// Bound: 1,048,576, a file of a session.

type Fields = Readonly<Record<string, unknown>>

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** The account signs the identity key of a device behind one of these (`Defaults/index.js` of Baileys 7.0.0-rc14). */
const ACCOUNT_PREFIXES = [Buffer.from([6, 0]), Buffer.from([6, 5])]
const ID_MAX = 2 ** 31
const JID = /^\d{5,20}:\d{1,4}@s\.whatsapp\.net$/
const LID = /^\d{5,20}(?::\d{1,4})?@lid$/

/**
 * Returns credentials with the fields that this gateway uses, and no others.
 * @throws GatewayError INVALID_SESSION that names the field
 */
export function checkedCredentials(value: unknown): AuthenticationCreds {
  const given = readFields(value, 'creds')
  const me = readFields(given.me, 'creds.me')
  const signedIdentityKey = parseKeyPair(given.signedIdentityKey, 'creds.signedIdentityKey')
  const fresh = initAuthCreds()
  const credentials: AuthenticationCreds = {
    ...fresh,
    noiseKey: parseKeyPair(given.noiseKey, 'creds.noiseKey'),
    signedIdentityKey,
    signedPreKey: parseSignedPreKey(given.signedPreKey, signedIdentityKey),
    registrationId: wholeNumber(given.registrationId, 'creds.registrationId'),
    advSecretKey: Buffer.from(readBytes(given.advSecretKey, 'creds.advSecretKey', KEY_BYTES)).toString('base64'),
    me: {
      id: readText(
        me.id,
        'creds.me.id',
        JID,
        'must be the JID of a linked device, such as 5511999990002:3@s.whatsapp.net',
      ),
      ...(me.lid === undefined ? {} : { lid: readText(me.lid, 'creds.me.lid', LID, 'must be a LID') }),
      ...(typeof me.name === 'string' ? { name: me.name.replaceAll('\0', '').slice(0, 500) } : {}),
    },
    account: parseAccount(given.account, signedIdentityKey),
    signalIdentities: parseIdentities(given.signalIdentities),
    firstUnuploadedPreKeyId: wholeNumber(given.firstUnuploadedPreKeyId, 'creds.firstUnuploadedPreKeyId'),
    nextPreKeyId: wholeNumber(given.nextPreKeyId, 'creds.nextPreKeyId'),
    // Without it the library waits for a history that the network does not send again.
    accountSyncCounter: 1,
    registered: given.registered === true,
  }
  if (typeof given.platform === 'string') credentials.platform = given.platform.replaceAll('\0', '').slice(0, 100)
  if (typeof given.myAppStateKeyId === 'string' && given.myAppStateKeyId.length <= 100)
    credentials.myAppStateKeyId = given.myAppStateKeyId
  return credentials
}

export function readFields(value: unknown, part: string): Fields {
  if (value === undefined || value === null) throw invalidSession(part, 'is missing')
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array)
    throw invalidSession(part, 'must be an object')
  return value as Fields
}

/** Reads bytes in any form in which programs keep them. `size` undefined: any but none. */
export function readBytes(value: unknown, part: string, size?: number): Buffer {
  if (value === undefined || value === null) throw invalidSession(part, 'is missing')
  const bytes = anyBytes(value)
  if (bytes === null || bytes.length === 0) throw invalidSession(part, 'must be bytes')
  if (size !== undefined && bytes.length !== size) throw invalidSession(part, `must be ${size} bytes`)
  return bytes
}

function anyBytes(value: unknown): Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value === 'string') return /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? Buffer.from(value, 'base64') : null
  const { type, data } = value as { type?: unknown; data?: unknown }
  const isList = type === 'Buffer' && Array.isArray(data) && data.every((byte) => Number.isInteger(byte))
  return isList ? Buffer.from(data as number[]) : null
}

export function parseKeyPair(value: unknown, part: string): KeyPair {
  const given = readFields(value, part)
  const pair = {
    public: readBytes(given.public, `${part}.public`, KEY_BYTES),
    private: readBytes(given.private, `${part}.private`, KEY_BYTES),
  }
  if (!belongTogether(pair)) throw invalidSession(part, 'must be a pair of keys that belong together')
  return pair
}

/** A pair of our own, one for all checks. */
let probe: ReturnType<typeof nativeX25519.generateKeyPair> | undefined

/** Agrees on a secret with a pair of our own, from either side. */
function belongTogether({ public: publicKey, private: privateKey }: KeyPair): boolean {
  probe ??= nativeX25519.generateKeyPair()
  try {
    const theirs = nativeX25519.calculateAgreement(probe.pubKey, privateKey)
    return theirs.equals(nativeX25519.calculateAgreement(generateSignalPubKey(publicKey), probe.privKey))
  } catch {
    return false
  }
}

function parseSignedPreKey(value: unknown, identity: KeyPair): AuthenticationCreds['signedPreKey'] {
  const part = 'creds.signedPreKey'
  const given = readFields(value, part)
  const keyPair = parseKeyPair(given.keyPair, `${part}.keyPair`)
  const signature = readBytes(given.signature, `${part}.signature`, SIGNATURE_BYTES)
  if (!isSigned(identity.public, generateSignalPubKey(keyPair.public), signature))
    throw invalidSession(`${part}.signature`, 'must be made with creds.signedIdentityKey')
  return { keyPair, signature, keyId: wholeNumber(given.keyId, `${part}.keyId`) }
}

function parseAccount(value: unknown, identity: KeyPair): proto.IADVSignedDeviceIdentity {
  const part = 'creds.account'
  const given = readFields(value, part)
  const details = readBytes(given.details, `${part}.details`)
  const accountSignatureKey = readBytes(given.accountSignatureKey, `${part}.accountSignatureKey`, KEY_BYTES)
  const accountSignature = readBytes(given.accountSignature, `${part}.accountSignature`, SIGNATURE_BYTES)
  const deviceSignature = readBytes(given.deviceSignature, `${part}.deviceSignature`, SIGNATURE_BYTES)
  const isOfDevice = ACCOUNT_PREFIXES.some((prefix) =>
    isSigned(accountSignatureKey, Buffer.concat([prefix, details, identity.public]), accountSignature),
  )
  if (!isOfDevice)
    throw invalidSession(
      `${part}.accountSignature`,
      'must be for creds.signedIdentityKey; the parts are of two sessions',
    )
  return { details, accountSignatureKey, accountSignature, deviceSignature }
}

/** `Curve.verify` of Baileys 7.0.0-rc14 is true for every signature that does not throw. */
function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return nativeXeddsa.verify(key, message, signature)
  } catch {
    return false
  }
}

/** Identities that the library sets at a pairing; they are few. */
function parseIdentities(value: unknown): NonNullable<AuthenticationCreds['signalIdentities']> {
  if (!Array.isArray(value)) return []
  return value.slice(0, 10).map((one: unknown, index) => {
    const part = `creds.signalIdentities[${index}]`
    const { identifier, identifierKey } = readFields(one, part)
    const { name, deviceId } = readFields(identifier, `${part}.identifier`)
    return {
      identifier: { name: String(name).replaceAll('\0', '').slice(0, 100), deviceId: Number(deviceId) || 0 },
      identifierKey: readBytes(identifierKey, `${part}.identifierKey`),
    }
  })
}

function readText(value: unknown, part: string, form: RegExp, why: string): string {
  if (value === undefined || value === null) throw invalidSession(part, 'is missing')
  if (typeof value !== 'string' || !form.test(value)) throw invalidSession(part, why)
  return value
}

function wholeNumber(value: unknown, part: string): number {
  if (value === undefined || value === null) throw invalidSession(part, 'is missing')
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= ID_MAX)
    throw invalidSession(part, 'must be a whole number')
  return value as number
}
