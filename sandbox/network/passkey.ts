/** Pairing with a passkey, the network's part: it demands a signed challenge, and carries what companion and phone say to each other. */
import { createHash, createHmac } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { bytes, child, type Node, node, nowSeconds } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Network } from './network.js'
import type { Registration } from './registration.js'

const SERVER = '@s.whatsapp.net'
const HANDOFF_MAX_MS = 5 * 60_000
const KEY_BYTES = 32

export interface Companion {
  readonly publicKey: Buffer
  readonly deviceType: number
  readonly commitment: Buffer
  /** The bytes to which it committed, without its nonce. */
  readonly identity: Buffer
  /** True if it has proved that its QR or code is the one that the phone took. */
  readonly isProven: boolean
}

/** One ceremony. The phone waits for its parts. */
export interface Ceremony {
  readonly options: Buffer
  readonly ref: string
  /** Key of the proof, from the secret in the QR or behind the code. */
  readonly handoffKey: Buffer
  readonly sinceMs: number
  /** Checks the assertion. @throws IqError */
  readonly verify: (assertion: unknown, credentialId: Buffer) => void
  companion: Companion | undefined
  nonce: Buffer | undefined
  readonly onCompanion: (companion: Companion) => void
  readonly onNonce: (nonce: Buffer) => void
  readonly onRequest: (request: Buffer) => void
}

/** Demands a passkey; with `garbled` the notification lacks the options, and the companion must ask for them. */
export function demandPasskey(
  network: Network,
  registration: Registration,
  ceremony: Ceremony,
  garbled: boolean,
): void {
  registration.passkey = ceremony
  const options = node('passkey_request_options', {}, garbled ? Buffer.from('{') : ceremony.options)
  notify(network, registration, 'passkey_prologue_request', options)
}

/** Brings the phone's half to the companion. */
export function continueCeremony(
  network: Network,
  registration: Registration,
  primary: { readonly publicKey: Uint8Array; readonly nonce: Uint8Array },
): void {
  const identity = proto.PrimaryEphemeralIdentity.encode(primary).finish()
  notify(network, registration, 'crsc_continuation', node('primary_ephemeral_identity', {}, identity))
}

function notify(network: Network, { connection }: Registration, type: string, content: Node): void {
  connection.send(node('notification', { from: SERVER, type, id: network.makeId(), t: nowSeconds() }, [content]))
}

/** Handles an iq of the companion; undefined if it belongs to no ceremony. @throws IqError */
export function handlePasskey(registration: Registration, request: Node): Node[] | undefined {
  const { passkey: ceremony } = registration
  const [part] = Array.isArray(request.content) ? request.content : []
  const act = part && STEPS[`${request.attrs.type} ${part.tag}`]
  if (!part || !act) return undefined
  if (!ceremony) throw new IqError(403, 'forbidden')
  return act(ceremony, part, registration)
}

type Step = (ceremony: Ceremony, part: Node, registration: Registration) => Node[]

const STEPS: Readonly<Record<string, Step>> = {
  'get ref': ({ ref }) => [node('ref', {}, Buffer.from(ref))],
  'get passkey_request_options': ({ options }) => [node('passkey_request_options', {}, options)],
  'set passkey_prologue': takePrologue,
  'set companion_nonce': takeNonce,
  'set encrypted_pairing_request': takeRequest,
}

function takePrologue(ceremony: Ceremony, part: Node, registration: Registration): Node[] {
  if (ceremony.companion) throw new IqError(409, 'conflict')
  const payload = bytes(child(part, 'prologue_payload'))
  ceremony.verify(readJson(bytes(child(part, 'webauthn_assertion'))), bytes(child(part, 'credential_id')))
  const companion = readPrologue(payload, ceremony.ref, registration)
  const proof = child(part, 'pairing_handoff_proof')
  if (proof) {
    const right = createHmac('sha256', ceremony.handoffKey).update(payload).digest()
    if (Date.now() - ceremony.sinceMs > HANDOFF_MAX_MS || !right.equals(bytes(proof)))
      throw new IqError(401, 'not-authorized')
  }
  ceremony.companion = { ...companion, isProven: proof !== undefined }
  // The answer to this iq goes first.
  setImmediate(() => ceremony.onCompanion(ceremony.companion as Companion))
  return []
}

function readPrologue(payload: Buffer, ref: string, registration: Registration): Omit<Companion, 'isProven'> {
  const { companionEphemeralIdentity, commitment } = proto.ProloguePayload.decode(payload)
  const identity = Buffer.from(companionEphemeralIdentity ?? [])
  const read = proto.CompanionEphemeralIdentity.decode(identity)
  const { platformType } = proto.DeviceProps.decode(registration.pairing.deviceProps ?? new Uint8Array())
  const isRight =
    read.publicKey?.length === KEY_BYTES &&
    commitment?.hash?.length === KEY_BYTES &&
    read.ref === ref &&
    read.deviceType === platformType
  if (!isRight) throw new IqError(400, 'bad-request')
  return {
    publicKey: Buffer.from(read.publicKey ?? []),
    deviceType: read.deviceType ?? 0,
    commitment: Buffer.from(commitment?.hash ?? []),
    identity,
  }
}

function takeNonce(ceremony: Ceremony, part: Node): Node[] {
  const nonce = bytes(part)
  const { companion } = ceremony
  if (!companion || ceremony.nonce || nonce.length !== KEY_BYTES) throw new IqError(400, 'bad-request')
  const hash = createHash('sha256').update(companion.identity).update(nonce).digest()
  if (!hash.equals(companion.commitment)) throw new IqError(401, 'not-authorized')
  ceremony.nonce = nonce
  setImmediate(() => ceremony.onNonce(nonce))
  return []
}

function takeRequest(ceremony: Ceremony, part: Node): Node[] {
  if (!ceremony.nonce) throw new IqError(400, 'bad-request')
  setImmediate(() => ceremony.onRequest(bytes(part)))
  return []
}

function readJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw new IqError(400, 'bad-request')
  }
}
