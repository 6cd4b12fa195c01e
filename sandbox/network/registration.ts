/** A connection that is not logged in: it waits to be paired with a phone, by QR or by code. */
import { randomBytes } from 'node:crypto'
import { Curve, proto } from '@whiskeysockets/baileys'
import type { Connection } from '../wire/connection.js'
import { bytes, child, type Node, node, nowSeconds } from '../wire/nodes.js'
import type { CodePairing } from './code-pairing.js'
import { announceDevice } from './device-list.js'
import { type Account, Device } from './model.js'
import type { Network } from './network.js'
import type { Ceremony } from './passkey.js'

const SERVER = '@s.whatsapp.net'
const REFS = 6
const ANSWER_MAX_MS = 60_000
// Prefixes of what the ADV keys sign (Baileys, Defaults: WA_ADV_*_SIG_PREFIX).
const DEVICE_SIGNATURE_PREFIX = Buffer.from([6, 1])

export interface Registration {
  connection: Connection
  number: number
  refs: string[]
  noiseKey: Buffer
  identityKey: Buffer
  pairing: proto.ClientPayload.IDevicePairingRegistrationData
  /** The secret that was in the QR scanned first; once retired it pairs nothing. */
  retiredSecret: string | undefined
  code: CodePairing | undefined
  passkey: Ceremony | undefined
  awaiting: AwaitedSignature | undefined
}

interface AwaitedSignature {
  stanzaId: string
  account: Account
  deviceId: number
  keyIndex: number
  details: Uint8Array
  accountKey: Uint8Array
  resolve(device: Device): void
  reject(error: Error): void
}

let registrations = 0

/** Sends the six refs of which the client makes its QR codes. */
export function openRegistration(
  network: Network,
  connection: Connection,
  payload: proto.ClientPayload,
  noiseKey: Buffer,
): Registration | undefined {
  const pairing = payload.devicePairingData
  if (!pairing?.eIdent || !pairing.eRegid || !pairing.eSkeyId || !pairing.eSkeyVal || !pairing.eSkeySig) {
    connection.end(node('failure', { reason: '400' }))
    return undefined
  }
  if (!network.clientVersion.takes(payload)) {
    connection.end(node('failure', { reason: '405', location: 'sandbox' }))
    return undefined
  }
  const registration: Registration = {
    connection,
    number: ++registrations,
    refs: Array.from({ length: REFS }, () => `2@${randomBytes(60).toString('base64')}`),
    noiseKey,
    identityKey: Buffer.from(pairing.eIdent),
    pairing,
    retiredSecret: undefined,
    code: undefined,
    passkey: undefined,
    awaiting: undefined,
  }
  network.registrations.add(registration)
  const refs = registration.refs.map((ref) => node('ref', {}, Buffer.from(ref)))
  connection.send(
    node('iq', { from: SERVER, type: 'set', id: network.makeId(), xmlns: 'md' }, [node('pair-device', {}, refs)]),
  )
  return registration
}

export function closeRegistration(network: Network, registration: Registration): void {
  network.registrations.delete(registration)
  registration.awaiting?.reject(new Error('The client closed its connection before the pairing was complete.'))
}

/** Tells the client that its advertised secret is retired; it must make a new one and redraw the QR. */
export function retireSecret(network: Network, registration: Registration, secret: string): void {
  registration.retiredSecret = secret
  registration.connection.send(
    node('notification', { from: SERVER, type: 'companion_reg_refresh', id: network.makeId(), t: nowSeconds() }, [
      node('companion_reg_refresh', {}),
    ]),
  )
}

/**
 * Hands the client its identity, as signed by the phone; resolves when the client has signed it too and is registered.
 * `signed` is an ADVSignedDeviceIdentity, `hmac` its HMAC under the secret that only client and phone share.
 */
export function offerIdentity(
  network: Network,
  registration: Registration,
  account: Account,
  signed: Uint8Array,
  hmac: Uint8Array,
): Promise<Device> {
  const identity = proto.ADVSignedDeviceIdentity.decode(signed)
  const details = identity.details ?? new Uint8Array()
  const keyIndex = proto.ADVDeviceIdentity.decode(details).keyIndex ?? 0
  const deviceId = account.nextDeviceId++
  const stanzaId = network.makeId()
  const accountKey = identity.accountSignatureKey ?? new Uint8Array()
  if (registration.awaiting) throw new Error('The client is being linked already.')
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('The client did not sign its identity in time.')), ANSWER_MAX_MS)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      registration.awaiting = undefined
      reject(error)
    }
    const succeed = (device: Device): void => {
      clearTimeout(timer)
      resolve(device)
    }
    registration.awaiting = {
      stanzaId,
      account,
      deviceId,
      keyIndex,
      details,
      accountKey,
      resolve: succeed,
      reject: fail,
    }
    const wrapped = proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish()
    registration.connection.send(
      node('iq', { from: SERVER, type: 'set', id: stanzaId, xmlns: 'md', t: nowSeconds() }, [
        node('pair-success', {}, [
          node('device-identity', {}, wrapped),
          node('device', { jid: account.jid('pn', deviceId), lid: account.jid('lid', deviceId) }),
          node('platform', { name: 'android' }),
        ]),
      ]),
    )
  })
}

/** The client's answer to `pair-success`: its own signature; then it must come back with its credentials. */
export function receiveSignature(network: Network, registration: Registration, answer: Node): void {
  const { awaiting } = registration
  if (!awaiting || answer.attrs.id !== awaiting.stanzaId) return
  registration.awaiting = undefined
  const signed = bytes(child(child(answer, 'pair-device-sign'), 'device-identity'))
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(signed)
  const message = Buffer.concat([
    DEVICE_SIGNATURE_PREFIX,
    awaiting.details,
    registration.identityKey,
    awaiting.accountKey,
  ])
  if (!deviceSignature || !Curve.verify(registration.identityKey, message, deviceSignature)) {
    awaiting.reject(new Error('The device signature of the client does not verify.'))
    registration.connection.end(node('stream:error', { code: '401' }))
    return
  }
  const device = register(registration, awaiting)
  announceDevice(network, device, 'add')
  registration.connection.end(node('stream:error', { code: '515' }))
  awaiting.resolve(device)
}

function register(registration: Registration, { account, deviceId, keyIndex }: AwaitedSignature): Device {
  const { pairing } = registration
  const properties = proto.DeviceProps.decode(pairing.deviceProps ?? new Uint8Array())
  const device = new Device(
    account,
    deviceId,
    keyIndex,
    registration.identityKey,
    Buffer.from(pairing.eRegid ?? []).readUInt32BE(0),
    {
      id: Buffer.from(pairing.eSkeyId ?? []).readUIntBE(0, 3),
      publicKey: Buffer.from(pairing.eSkeyVal ?? []),
      signature: Buffer.from(pairing.eSkeySig ?? []),
    },
    registration.noiseKey,
    properties.os ?? '',
  )
  account.devices.set(deviceId, device)
  return device
}
