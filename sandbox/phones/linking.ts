/** The phone's half of pairing: scanning a QR, or entering a code. */
import { createHmac, randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  hkdf,
  proto,
} from '@whiskeysockets/baileys'
import { findCodePairing, sendPrimaryHello } from '../network/code-pairing.js'
import type { Account, Device } from '../network/model.js'
import type { Network } from '../network/network.js'
import { offerIdentity, type Registration, retireSecret } from '../network/registration.js'
import type { PhonePasskey } from './passkey.js'
import { PhoneError } from './phone-error.js'
import type { PhoneSignal } from './signal.js'

// Prefix of what the account key signs (Baileys, Defaults: WA_ADV_ACCOUNT_SIG_PREFIX).
const ACCOUNT_SIGNATURE_PREFIX = Buffer.from([6, 0])

const ANSWER_MAX_MS = 60_000

export type ScanResult = { status: 'refresh' } | { status: 'passkey' } | { status: 'paired'; device: Device }

/** The account and the keys with which a phone links a companion. */
export interface Linker {
  readonly network: Network
  readonly account: Account
  readonly signal: PhoneSignal
  /** Set if the network demands a passkey of the account. */
  readonly passkey: PhonePasskey | undefined
}

/**
 * Scans a QR (the link, or the bare comma list). With `refresh`, as the real network does since July 2026, the secret
 * of the first scan is retired and the result is `refresh`: the client shows a new QR, which must be scanned again.
 */
export async function scanQr(linker: Linker, qr: string, refresh: boolean): Promise<ScanResult> {
  const { network } = linker
  const { ref, noise, identity, secret } = parseQr(qr)
  const registration = [...network.registrations].find(({ refs }) => refs.includes(ref))
  if (!registration) throw new PhoneError(410, 'The QR code is no longer valid: no client waits under its ref.')
  if (!noise.equals(registration.noiseKey) || !identity.equals(registration.identityKey))
    throw new PhoneError(400, 'The keys in the QR code are not those of the client that shows it.')
  if (refresh && (registration.retiredSecret === undefined || registration.retiredSecret === secret)) {
    if (registration.retiredSecret === undefined) retireSecret(network, registration, secret)
    return { status: 'refresh' }
  }
  return await link(linker, registration, Buffer.from(secret, 'base64'))
}

function parseQr(qr: string) {
  const list = qr.includes('#') ? qr.slice(qr.indexOf('#') + 1) : qr
  const [ref, noise, identity, secret] = list.split(',')
  if (!ref || !noise || !identity || !secret) throw new PhoneError(400, 'This is not the text of a linking QR code.')
  return { ref, noise: Buffer.from(noise, 'base64'), identity: Buffer.from(identity, 'base64'), secret }
}

/** Enters the code that a companion shows; resolves when the companion is registered. */
export async function enterCode(linker: Linker, shownCode: string, emptyNoticeFirst: boolean): Promise<ScanResult> {
  const { network, account, signal } = linker
  const code = shownCode.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
  const registration = findCodePairing(network, account)
  const pairing = registration?.code
  if (!registration || !pairing) throw new PhoneError(410, 'No client waits for a code of this number.')
  const wrapped = pairing.wrappedCompanionEphemeral
  const companionKey = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
  const companionEphemeral = aesDecryptCTR(wrapped.subarray(48, 80), companionKey, wrapped.subarray(32, 48))
  const ephemeral = Curve.generateKeyPair()
  const salt = randomBytes(32)
  const iv = randomBytes(16)
  const ownKey = await derivePairingCodeKey(code, salt)
  const wrappedEphemeral = Buffer.concat([salt, iv, aesEncryptCTR(ephemeral.public, ownKey, iv)])
  let timer: NodeJS.Timeout | undefined
  const finished = new Promise<{ bundle: Buffer; companionIdentity: Buffer }>((resolve, reject) => {
    pairing.finish = (bundle, companionIdentity) => resolve({ bundle, companionIdentity })
    registration.connection.onEnd(() => reject(new PhoneError(410, 'The client went away before it was linked.')))
    timer = setTimeout(() => reject(new PhoneError(504, 'The client did not answer the code in time.')), ANSWER_MAX_MS)
  })
  if (emptyNoticeFirst) sendPrimaryHello(network, registration, 'empty')
  sendPrimaryHello(network, registration, { wrappedEphemeral, identityKey: signal.identity.public })
  const { bundle, companionIdentity } = await finished.finally(() => clearTimeout(timer))
  const shared = Curve.sharedKey(ephemeral.private, companionEphemeral)
  const secret = openBundle(signal, shared, bundle, companionIdentity)
  return await link(linker, registration, secret)
}

/** Opens what the companion wrapped under the shared key; a wrong code fails here. Gives the ADV secret. */
function openBundle(signal: PhoneSignal, shared: Uint8Array, bundle: Buffer, companionIdentity: Buffer): Buffer {
  const key = hkdf(shared, 32, { salt: bundle.subarray(0, 32), info: 'link_code_pairing_key_bundle_encryption_key' })
  let opened: Buffer
  try {
    opened = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0))
  } catch {
    throw new PhoneError(400, 'The code is wrong.')
  }
  const [identity, primary, random] = [opened.subarray(0, 32), opened.subarray(32, 64), opened.subarray(64, 96)]
  if (!identity.equals(companionIdentity) || !primary.equals(signal.identity.public))
    throw new PhoneError(400, 'The companion wrapped keys that are not its own or not ours.')
  const identityShared = Curve.sharedKey(signal.identity.private, companionIdentity)
  return Buffer.from(hkdf(Buffer.concat([shared, identityShared, random]), 32, { info: 'adv_secret' }))
}

/** Links the companion. If a passkey is demanded, the ceremony continues on its own after the answer. */
async function link(linker: Linker, registration: Registration, secret: Buffer): Promise<ScanResult> {
  const { network, passkey } = linker
  if (passkey === undefined) return { status: 'paired', device: await sign(linker, registration, secret) }
  const linked = passkey.demand(network, registration, secret).then((given) => sign(linker, registration, given))
  // The failure stands in the passkey.
  linked.catch(() => {})
  return { status: 'passkey' }
}

function sign({ network, account, signal }: Linker, registration: Registration, secret: Buffer): Promise<Device> {
  const details = proto.ADVDeviceIdentity.encode({
    rawId: randomBytes(4).readUInt32BE(0),
    timestamp: Math.floor(Date.now() / 1000),
    keyIndex: account.nextKeyIndex++,
    accountType: proto.ADVEncryptionType.E2EE,
    deviceType: proto.ADVEncryptionType.E2EE,
  }).finish()
  const message = Buffer.concat([ACCOUNT_SIGNATURE_PREFIX, details, registration.identityKey])
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: signal.identity.public,
    accountSignature: Curve.sign(signal.identity.private, message),
  }).finish()
  const hmac = createHmac('sha256', secret).update(signed).digest()
  return offerIdentity(network, registration, account, signed, hmac)
}
