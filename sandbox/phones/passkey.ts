/** The passkey of an account: an authenticator, and the phone's half of the ceremony that links a companion with it. */
import { createHash, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { aesDecryptGCM, bytesToCrockford, Curve, hkdf, proto } from '@whiskeysockets/baileys'
import { IqError } from '../network/iq-error.js'
import type { Network } from '../network/network.js'
import { type Companion, continueCeremony, demandPasskey } from '../network/passkey.js'
import type { Registration } from '../network/registration.js'
import { PhoneError } from './phone-error.js'

const RP_ID = 'whatsapp.com'
const USER_PRESENT_AND_VERIFIED = 0x05

export interface PasskeySettings {
  /** The network says nothing after it took the signature. */
  readonly silent: boolean
  /** The notification lacks the options. */
  readonly garbled: boolean
}

interface Assertion {
  readonly rawId: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

export class PhonePasskey {
  readonly #credentialId = randomBytes(20)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  settings: PasskeySettings = { silent: false, garbled: false }
  /** The step that the phone shows. */
  state: 'idle' | 'asked' | 'signed' | 'code' | 'linked' | 'failed' = 'idle'
  /** The code that the phone shows for comparison. */
  code: string | undefined
  failure: string | undefined
  /** The signed challenge as the companion passed it on. */
  assertion: unknown
  #confirm: (code: string) => void = () => {
    throw new PhoneError(409, 'The phone shows no code.')
  }

  /** Signs a challenge as a browser does, on a page of this origin. */
  sign(challenge: string, origin = 'https://web.whatsapp.com', rpId = RP_ID) {
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
    const counter = Buffer.from([0, 0, 0, 1])
    const hash = createHash('sha256').update(rpId).digest()
    const data = Buffer.concat([hash, Buffer.from([USER_PRESENT_AND_VERIFIED]), counter])
    const signature = sign('sha256', signedBytes(data, clientData), this.#keys.privateKey)
    const id = this.#credentialId.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { uvm: [[2, 4, 2]] },
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: null,
      },
    }
  }

  /** A person has compared the codes. */
  confirm(code: string): void {
    this.#confirm(code)
  }

  /** Leads the ceremony; resolves with the secret that the companion gives. */
  async demand(network: Network, registration: Registration, secret: Buffer): Promise<Buffer> {
    this.state = 'asked'
    try {
      const advSecret = await this.#lead(network, registration, secret)
      this.state = 'linked'
      return advSecret
    } catch (error) {
      this.state = 'failed'
      this.failure = (error as Error).message
      throw error
    }
  }

  async #lead(network: Network, registration: Registration, secret: Buffer): Promise<Buffer> {
    const challenge = randomBytes(32).toString('base64url')
    const parts = awaitParts(registration)
    const options = {
      challenge,
      timeout: 600_000,
      rpId: RP_ID,
      allowCredentials: [],
      userVerification: 'required',
      extensions: { uvm: true },
    }
    const ref = `4@${randomBytes(24).toString('base64')}`
    demandPasskey(
      network,
      registration,
      {
        options: Buffer.from(JSON.stringify(options)),
        ref,
        handoffKey: Buffer.from(hkdf(secret, 32, { info: 'shortcake-passkey-handoff-v1' })),
        sinceMs: Date.now(),
        verify: (assertion, credentialId) => {
          this.assertion = assertion
          this.#verify(assertion as Assertion, credentialId, challenge)
        },
        companion: undefined,
        nonce: undefined,
        ...parts.callbacks,
      },
      this.settings.garbled,
    )
    const companion = await parts.companion
    this.state = 'signed'
    if (this.settings.silent) return await parts.never
    const ephemeral = Curve.generateKeyPair()
    const nonce = randomBytes(32)
    continueCeremony(network, registration, { publicKey: ephemeral.public, nonce })
    const companionNonce = await parts.nonce
    if (!companion.isProven) await this.#compare(createCode(nonce, companionNonce, ephemeral.public), parts.never)
    const shared = Curve.sharedKey(ephemeral.private, companion.publicKey)
    const salt = Buffer.from(`Companion Pairing ${companion.deviceType} with ref ${ref}`)
    const key = hkdf(Buffer.from(shared), 32, { salt, info: 'Pairing Information Encryption Key' })
    return openRequest(await parts.request, key, registration)
  }

  async #compare(code: string, never: Promise<never>): Promise<void> {
    this.state = 'code'
    this.code = code
    await Promise.race([
      never,
      new Promise<void>((resolve, reject) => {
        this.#confirm = (given) => (given === code ? resolve() : reject(new PhoneError(400, 'The codes differ.')))
      }),
    ])
  }

  #verify({ rawId, response }: Assertion, credentialId: Buffer, challenge: string): void {
    const [clientData, data, signature] = [response.clientDataJSON, response.authenticatorData, response.signature].map(
      (part) => Buffer.from(part, 'base64url'),
    ) as [Buffer, Buffer, Buffer]
    const said = JSON.parse(clientData.toString('utf8')) as { challenge?: string }
    const isRight =
      credentialId.equals(this.#credentialId) &&
      credentialId.equals(Buffer.from(rawId, 'base64url')) &&
      said.challenge === challenge &&
      verify('sha256', signedBytes(data, clientData), this.#keys.publicKey, signature)
    if (!isRight) throw new IqError(401, 'not-authorized')
  }
}

function signedBytes(data: Buffer, clientData: Buffer): Buffer {
  return Buffer.concat([data, createHash('sha256').update(clientData).digest()])
}

function createCode(nonce: Buffer, companionNonce: Buffer, publicKey: Uint8Array): string {
  const digest = createHash('sha256').update(companionNonce).update(publicKey).digest()
  const code = bytesToCrockford(Buffer.from(nonce.subarray(0, 5).map((byte, index) => byte ^ (digest[index] ?? 0))))
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

function openRequest(bytes: Buffer, key: Uint8Array, registration: Registration): Buffer {
  const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(bytes)
  const opened = aesDecryptGCM(encryptedPayload ?? new Uint8Array(), key, iv ?? new Uint8Array(), Buffer.alloc(0))
  const { companionPublicKey, companionIdentityKey, advSecret } = proto.PairingRequest.decode(opened)
  const none = new Uint8Array()
  const [noise, identity] = [companionPublicKey ?? none, companionIdentityKey ?? none]
  if (!registration.noiseKey.equals(noise) || !registration.identityKey.equals(identity))
    throw new PhoneError(400, 'The companion gave keys that are not its own.')
  if (advSecret?.length !== 32) throw new PhoneError(400, 'The companion gave no secret.')
  return Buffer.from(advSecret)
}

/** Promises for the parts that the companion sends. They reject when it goes away. */
function awaitParts({ connection }: Registration) {
  let end: (error: Error) => void = () => {}
  const never = new Promise<never>((_, reject) => {
    end = reject
  })
  never.catch(() => {})
  connection.onEnd(() => end(new PhoneError(410, 'The client went away before it was linked.')))
  const part = <T>(): [Promise<T>, (value: T) => void] => {
    let give: (value: T) => void = () => {}
    const given = new Promise<T>((resolve) => {
      give = resolve
    })
    return [Promise.race([given, never]), give]
  }
  const [companion, onCompanion] = part<Companion>()
  const [nonce, onNonce] = part<Buffer>()
  const [request, onRequest] = part<Buffer>()
  for (const promise of [companion, nonce, request]) promise.catch(() => {})
  return { companion, nonce, request, never, callbacks: { onCompanion, onNonce, onRequest } }
}
