import { randomInt } from 'node:crypto'
import {
  type AuthenticationCreds,
  type BinaryNode,
  encodeSignedDeviceIdentity,
  generateSignalPubKey,
  jidDecode,
  jidEncode,
  proto,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type WASocket,
} from '@whiskeysockets/baileys'
import {
  getMessageReportingToken,
  shouldIncludeReportingToken,
} from '@whiskeysockets/baileys/lib/Utils/reporting-utils.js'
import { isTcTokenExpired, shouldSendNewTcToken } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import { contactToken } from '../contact-token.js'
import { isRevision } from '../outgoing.js'
import type { InTurn } from '../signal-mutex.js'
import { ciphertextAttributes, findStanzaType } from './message-kind.js'
import { type StoredRecord, type Writer, writeWithSession } from './ratchet.js'
import { stanzaBytes } from './stanza-bytes.js'

/** A device of a person, in the form of the library's cache. */
export interface Device {
  readonly user: string
  readonly server?: string
  readonly device?: number
}

export interface DirectRelayOptions {
  readonly socket: Pick<WASocket, 'sendRawMessage' | 'serverProps'>
  readonly credentials: AuthenticationCreds
  readonly keys: Pick<SignalKeyStore, 'get' | 'set'>
  readonly inSlot: InTurn
  /** Returns the cached devices of a person, by the user part of the JID. */
  readonly devices: (user: string) => readonly Device[] | undefined
  /** Issues the privacy token of the account to a person. */
  readonly issueToken: (to: string) => void
}

export interface DirectMessage {
  readonly id: string
  readonly to: string
  readonly message: proto.IMessage
  /** The encoded message. */
  readonly bytes: Uint8Array
  readonly attributes: Readonly<Record<string, string>>
  readonly nodes: readonly BinaryNode[]
}

interface Recipient {
  readonly jid: string
  /** Name of its session in the store. */
  readonly address: string
  readonly isOwn: boolean
}

/**
 * Sends a message to a person with whom everything is settled: the devices are known, and each has a session. Most messages are of this kind, and
 * the library's `relayMessage` spends three quarters of its time on work that they do not need. Issues the privacy token of the account behind
 * the message, as the library does.
 *
 * The stanza is that of the library (`relay.integration.ts` compares them), with one difference. The library computes the reporting token over
 * the padded message, so for most lengths of the padding it is missing or wrong. Here it is computed over the message, as in whatsmeow
 * (`send.go`), with the library's key. That key differs from whatsmeow's in its JIDs; it is not known which of them is right.
 *
 * Returns false, and has changed nothing, if more is to be done. The library must send the message then.
 */
export async function relayDirectly(message: DirectMessage, options: DirectRelayOptions): Promise<boolean> {
  // The library sends edits and deletions. They have no rows, so the connection keeps them for devices that could not decrypt them.
  const recipients = isRevision(message.message) ? null : findRecipients(message.to, options)
  if (recipients === null) return false
  const { [message.to]: tokens } = await options.keys.get('tctoken', [message.to])
  const token = privacyToken(tokens, options)
  if (token === null) return false
  const contact = contactToken(options.credentials, message.to, tokens)
  const reporting = await reportingNode(message)
  const written = await options.inSlot(() => encrypted(message, recipients, options))
  if (written === null) return false
  const participants = { tag: 'participants', attrs: {}, content: written.participants }
  const identity = written.tellsPreKeys ? [deviceIdentity(options.credentials)] : []
  const stanza: BinaryNode = {
    tag: 'message',
    attrs: { id: message.id, to: message.to, type: findStanzaType(message.message), ...message.attributes },
    content: [participants, ...identity, ...reporting, ...token, ...contact, ...message.nodes],
  }
  await options.socket.sendRawMessage(stanzaBytes(stanza))
  if (tokens === undefined || shouldSendNewTcToken(tokens.senderTimestamp)) options.issueToken(message.to)
  return true
}

/** Returns the recipients, own devices first, without this one. Returns null if the library must look up devices or addresses. */
function findRecipients(to: string, { credentials: { me }, devices }: DirectRelayOptions): Recipient[] | null {
  const [own, other] = [jidDecode(me?.lid), jidDecode(to)]
  if (own?.server !== 'lid' || other?.server !== 'lid' || other.device !== undefined) return null
  if (own.user === other.user) return null
  const recipients: Recipient[] = []
  for (const user of [own.user, other.user]) {
    const known = devices(user)
    if (known === undefined) return null
    for (const { server = 'lid', device = 0 } of known) {
      // Hosted devices have addresses of another kind.
      if (server !== 'lid') return null
      const jid = jidEncode(user, 'lid', device)
      if (jid === me?.lid) continue
      const address = `${user}_1.${device}`
      // Two recipients would use the same session.
      if (recipients.some((former) => former.address === address)) return null
      recipients.push({ jid, address, isOwn: user === own.user })
    }
  }
  return recipients.some(({ isOwn }) => !isOwn) ? recipients : null
}

/** Returns the node for the person's privacy token, if there is one. Returns null if it has expired: the library removes it. */
function privacyToken(
  tokens: SignalDataTypeMap['tctoken'] | undefined,
  { socket }: DirectRelayOptions,
): BinaryNode[] | null {
  if (tokens === undefined || tokens.token.length === 0) return []
  if (isTcTokenExpired(tokens.timestamp)) return null
  return socket.serverProps.privacyTokenOn1to1 ? [{ tag: 'tctoken', attrs: {}, content: tokens.token }] : []
}

export async function reportingNode({ id, to, message, bytes }: DirectMessage): Promise<BinaryNode[]> {
  if (!message.messageContextInfo?.messageSecret || !shouldIncludeReportingToken(message)) return []
  const key = { id, fromMe: true, remoteJid: to }
  // Sends the message without a token if there is none, as the library does.
  const node = await getMessageReportingToken(Buffer.from(bytes), message, key).catch(() => null)
  return node === null ? [] : [node]
}

/** Encrypts for all recipients. Returns null, and has changed no session, if one of the sessions cannot encrypt as it is. */
async function encrypted(
  { to, message, bytes }: DirectMessage,
  recipients: readonly Recipient[],
  { keys, credentials }: DirectRelayOptions,
): Promise<{ readonly participants: BinaryNode[]; readonly tellsPreKeys: boolean } | null> {
  const records = await keys.get(
    'session',
    recipients.map(({ address }) => address),
  )
  const writer = toWriter(credentials)
  const forOwn = sentByOtherDevice(to, message, bytes)
  const kind = ciphertextAttributes(message)
  const after: Record<string, Uint8Array> = {}
  const participants: BinaryNode[] = []
  let tellsPreKeys = false
  for (const { jid, address, isOwn } of recipients) {
    const record = records[address] as unknown as StoredRecord | undefined
    const written = stepRatchet(record, padded(isOwn ? forOwn : bytes), writer)
    if (written === null) return null
    // The library's type is bytes, although it stores such records.
    after[address] = written.record as unknown as Uint8Array
    const { type, ciphertext } = written
    if (type === 'pkmsg') tellsPreKeys = true
    const enc = { tag: 'enc', attrs: { v: '2', type, ...kind }, content: ciphertext }
    participants.push({ tag: 'to', attrs: { jid }, content: [enc] })
  }
  await keys.set({ session: after })
  return { participants, tellsPreKeys }
}

/** Returns the identity of this device in messages. */
export function toWriter({ signedIdentityKey, registrationId }: AuthenticationCreds): Writer {
  return { identity: generateSignalPubKey(signedIdentityKey.public), registrationId }
}

/** Encrypts with a session. Returns null if the session cannot encrypt as it is. */
export function stepRatchet(record: StoredRecord | undefined, data: Uint8Array, writer: Writer) {
  if (record === undefined) return null
  try {
    return writeWithSession(record, data, writer)
  } catch {
    // The record is broken. The library leaves out this device, and sends to the others.
    return null
  }
}

/** Makes the node that proves to the other side that this device belongs to the account. */
export function deviceIdentity({ account }: AuthenticationCreds): BinaryNode {
  if (account === undefined) throw new Error('The credentials contain no account.')
  return { tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(account, true) }
}

/** Tags of protobuf fields: `Message.deviceSentMessage`, and in it `destinationJid` and `message`. */
const [DEVICE_SENT_MESSAGE, DESTINATION_JID, SENT_MESSAGE] = [[0xfa, 0x01], [0x0a], [0x12]]

/** Wraps a message for the account's other devices, together with its receiver. Reuses the encoded bytes. */
function sentByOtherDevice(to: string, { messageContextInfo }: proto.IMessage, bytes: Uint8Array): Buffer {
  const destination = Buffer.from(to)
  const inner = [
    Uint8Array.from([...DESTINATION_JID, ...varint(destination.length)]),
    destination,
    Uint8Array.from([...SENT_MESSAGE, ...varint(bytes.length)]),
    bytes,
  ]
  const size = inner.reduce((sum, { length }) => sum + length, 0)
  const context = messageContextInfo ? proto.Message.encode({ messageContextInfo }).finish() : new Uint8Array()
  return Buffer.concat([Uint8Array.from([...DEVICE_SENT_MESSAGE, ...varint(size)]), ...inner, context])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

/** Adds one to sixteen bytes of padding. The value of each is their number. */
export function padded(bytes: Uint8Array): Buffer {
  const count = randomInt(1, 17)
  const whole = Buffer.allocUnsafe(bytes.length + count)
  whole.set(bytes)
  return whole.fill(count, bytes.length)
}
