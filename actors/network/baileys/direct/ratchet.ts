/** One step of a Signal session, on a record in libsignal's form. */
import { createCipheriv, createHmac } from 'node:crypto'
import { hkdf } from 'whatsapp-rust-bridge'

/** Form of libsignal's `SessionRecord.serialize` (6.0.0, `session_record.js`), with bytes in base64. Immutable: a step makes a new record. */
export interface StoredRecord {
  readonly version: string
  readonly _sessions: Readonly<Record<string, StoredSession>>
}

interface StoredSession {
  readonly registrationId?: number
  readonly currentRatchet: {
    readonly ephemeralKeyPair: { readonly pubKey: string }
    readonly previousCounter: number
  }
  /** `closed` is -1 for the session that encrypts. */
  readonly indexInfo: { readonly closed: number; readonly remoteIdentityKey: string }
  /** Prekeys of the other side with which the session began. Each message has them until the other side has answered. */
  readonly pendingPreKey?: { readonly preKeyId?: number; readonly signedKeyId: number; readonly baseKey: string }
  readonly _chains: Readonly<Record<string, StoredChain>>
}

interface StoredChain {
  readonly chainKey: { readonly counter: number; readonly key?: string }
  readonly chainType: number
  readonly messageKeys: Readonly<Record<string, string>>
}

/** Identity of the writing device. */
export interface Writer {
  /** Public identity key with its type byte, 33 bytes. */
  readonly identity: Uint8Array
  readonly registrationId: number
}

interface Written {
  readonly record: StoredRecord
  readonly type: 'msg' | 'pkmsg'
  readonly ciphertext: Buffer
}

const RECORD_VERSION = 'v1'
const SENDING = 1
/** Present version of the protocol, and the oldest compatible one. */
const VERSIONS = 0x33
const KEY_BYTES = 33
const MAC_BYTES = 8
/** Size of identities, version, ratchet key, and three numbers of at most five bytes, each with its tag. */
const HEADER_BYTES_MAX = 2 * KEY_BYTES + 1 + (2 + KEY_BYTES) + 3 * 6
const [MESSAGE_KEY_SEED, CHAIN_KEY_SEED] = [Uint8Array.of(1), Uint8Array.of(2)]
const DERIVATION = { salt: new Uint8Array(32), info: 'WhisperMessageKeys' }

/**
 * Encrypts the next message of a session, byte for byte as libsignal's `SessionCipher.encrypt`, but without conversion of the whole record
 * from text and back. Returns null if no session can encrypt, or if its identity key has another form.
 */
export function writeWithSession(record: StoredRecord, data: Uint8Array, writer: Writer): Written | null {
  const open = openSession(record)
  if (open === undefined) return null
  const [name, session] = open
  const { ephemeralKeyPair, previousCounter } = session.currentRatchet
  const chain = session._chains[ephemeralKeyPair.pubKey]
  const remoteIdentity = Buffer.from(session.indexInfo.remoteIdentityKey, 'base64')
  if (chain?.chainType !== SENDING || chain.chainKey.key === undefined) return null
  // A contact may have sent a key without its type byte, which libsignal accepts.
  if (remoteIdentity.length !== KEY_BYTES) return null
  const chainKey = Buffer.from(chain.chainKey.key, 'base64')
  const counter = chain.chainKey.counter + 1
  const keys = Buffer.from(hkdf(hmac(chainKey, MESSAGE_KEY_SEED), 80, DERIVATION))
  const message = whisperMessage({
    ratchetKey: Buffer.from(ephemeralKeyPair.pubKey, 'base64'),
    counter,
    previousCounter,
    ciphertext: encrypted(keys.subarray(0, 32), keys.subarray(64, 80), data),
    identities: [writer.identity, remoteIdentity],
    macKey: keys.subarray(32, 64),
  })
  const after: StoredChain = {
    chainKey: { counter, key: hmac(chainKey, CHAIN_KEY_SEED).toString('base64') },
    chainType: SENDING,
    messageKeys: chain.messageKeys,
  }
  const next = withChain(record, name, session, after)
  if (!session.pendingPreKey) return { record: next, type: 'msg', ciphertext: message }
  return { record: next, type: 'pkmsg', ciphertext: preKeyMessage(session.pendingPreKey, message, writer) }
}

function openSession(record: StoredRecord): [name: string, session: StoredSession] | undefined {
  if (record.version !== RECORD_VERSION) return undefined
  const found = Object.entries(record._sessions).find(([, { indexInfo }]) => indexInfo.closed === -1)
  const session = found?.[1]
  return typeof session?.registrationId === 'number' ? found : undefined
}

function withChain(record: StoredRecord, name: string, session: StoredSession, chain: StoredChain): StoredRecord {
  const _chains = { ...session._chains, [session.currentRatchet.ephemeralKeyPair.pubKey]: chain }
  return { ...record, _sessions: { ...record._sessions, [name]: { ...session, _chains } } }
}

function hmac(key: Uint8Array, data: Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

function encrypted(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/**
 * Makes a WhisperMessage with its version and the beginning of its MAC. The MAC covers both identities too, so they precede the message in the
 * same bytes.
 */
function whisperMessage(parts: {
  readonly ratchetKey: Uint8Array
  readonly counter: number
  readonly previousCounter: number
  readonly ciphertext: Uint8Array
  readonly identities: readonly [own: Uint8Array, other: Uint8Array]
  readonly macKey: Uint8Array
}): Buffer {
  const { ratchetKey, counter, previousCounter, ciphertext, identities, macKey } = parts
  const bytes = Buffer.allocUnsafe(HEADER_BYTES_MAX + ciphertext.length + MAC_BYTES)
  bytes.set(identities[0])
  bytes.set(identities[1], KEY_BYTES)
  bytes[2 * KEY_BYTES] = VERSIONS
  let end = 2 * KEY_BYTES + 1
  end = putBytes(bytes, end, 0x0a, ratchetKey)
  end = putNumber(bytes, end, 0x10, counter)
  end = putNumber(bytes, end, 0x18, previousCounter)
  end = putBytes(bytes, end, 0x22, ciphertext)
  hmac(macKey, bytes.subarray(0, end)).copy(bytes, end, 0, MAC_BYTES)
  return bytes.subarray(2 * KEY_BYTES, end + MAC_BYTES)
}

/** Makes a PreKeyWhisperMessage after its version. */
function preKeyMessage(
  { preKeyId, signedKeyId, baseKey }: NonNullable<StoredSession['pendingPreKey']>,
  message: Uint8Array,
  { identity, registrationId }: Writer,
): Buffer {
  const bytes = Buffer.allocUnsafe(1 + 4 * 6 + 2 * (2 + KEY_BYTES) + message.length)
  bytes[0] = VERSIONS
  let end = 1
  if (preKeyId) end = putNumber(bytes, end, 0x08, preKeyId)
  end = putBytes(bytes, end, 0x12, Buffer.from(baseKey, 'base64'))
  end = putBytes(bytes, end, 0x1a, identity)
  end = putBytes(bytes, end, 0x22, message)
  end = putNumber(bytes, end, 0x28, registrationId)
  end = putNumber(bytes, end, 0x30, signedKeyId)
  return bytes.subarray(0, end)
}

function putBytes(target: Buffer, at: number, tag: number, data: Uint8Array): number {
  const start = putNumber(target, at, tag, data.length)
  target.set(data, start)
  return start + data.length
}

/** Writes a protobuf uint32, and returns its end. The value -1 of a chain without messages becomes 32 ones. */
function putNumber(target: Buffer, at: number, tag: number, value: number): number {
  let end = at
  target[end++] = tag
  let rest = value >>> 0
  for (; rest > 0x7f; rest >>>= 7) target[end++] = (rest & 0x7f) | 0x80
  target[end++] = rest
  return end
}
