import { createHash } from 'node:crypto'
import type { Actor } from 'xstate'
import { GatewayError } from '../../schemas/errors.js'
import type { PasskeyAssertion, PasskeyOptions, PasskeyStatus } from '../../schemas/session.js'
import type { Connection } from '../network/port/connection.js'
import type { LiveConnection } from './live-connection.js'
import type { instanceMachine } from './machine.js'

export interface PasskeySessionParts {
  readonly machine: Actor<typeof instanceMachine>
  readonly connection: LiveConnection
}

/** The pairing of one instance with a passkey, as its operations see and change it. The machine knows the step. */
export class PasskeySession {
  readonly #parts: PasskeySessionParts

  constructor(parts: PasskeySessionParts) {
    this.#parts = parts
  }

  /** Returns the step of the pairing, and what a person needs for it. */
  show(): PasskeyStatus {
    const { value, context } = this.#parts.machine.getSnapshot()
    const state = typeof value.session === 'object' && 'pairing' in value.session ? value.session.pairing : 'offering'
    const { passkey } = context
    if (state === 'offering' || passkey === null) return { state: 'none', publicKey: null, untilMs: null, code: null }
    const publicKey = state === 'needs_passkey' ? passkey.publicKey : null
    return { state, publicKey, untilMs: passkey.untilMs, code: state === 'passkey_code' ? passkey.code : null }
  }

  /** Sends the signed challenge. @throws GatewayError PASSKEY_NOT_AWAITED, INVALID_REQUEST, PAIRING_FAILED */
  async respond(assertion: PasskeyAssertion, compareCode: boolean): Promise<PasskeyStatus> {
    const { publicKey } = this.show()
    if (publicKey === null) throw this.#notAwaited('a signed challenge')
    const mistake = mistakeInAssertion(assertion, publicKey)
    if (mistake !== null)
      throw new GatewayError('INVALID_REQUEST', {
        message: `Invalid ${mistake.field}: it ${mistake.why}.`,
        details: [mistake],
      })
    const connection = this.#connection()
    // From here a second response is refused: the network takes one, and a wrong one may cost the account.
    this.#parts.machine.send({ type: 'command.passkey' })
    await connection.passkey.respond(assertion, compareCode)
    return this.show()
  }

  /** Says that the codes are the same. @throws GatewayError PASSKEY_NOT_AWAITED, PAIRING_FAILED */
  async confirm(): Promise<PasskeyStatus> {
    if (this.show().state !== 'passkey_code') throw this.#notAwaited('a confirmation')
    const connection = this.#connection()
    this.#parts.machine.send({ type: 'command.confirmPasskey' })
    await connection.passkey.confirm()
    return this.show()
  }

  #connection(): Connection {
    const { current } = this.#parts.connection
    if (current === null) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    return current
  }

  #notAwaited(step: string): GatewayError {
    const { state } = this.show()
    const now = state === 'none' ? 'no pairing of the instance asks for a passkey' : `the pairing is at ${state}`
    return new GatewayError('PASSKEY_NOT_AWAITED', {
      message: `The pairing does not wait for ${step}: ${now}. Nothing was done.`,
      fields: { state },
    })
  }
}

interface AssertionMistake {
  readonly field: string
  readonly why: string
}

/** Bytes of authenticator data before its extensions: hash of the RP id, flags, counter (WebAuthn level 2, 6.1). */
const AUTHENTICATOR_DATA_MIN = 37
const FLAGS_AT = 32
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04

/**
 * Returns the first mistake of a signed challenge that the gateway can see without the account's public key; null if there is none. A wrong
 * response is better refused here than by the network, which may restrict the account for it.
 */
function mistakeInAssertion(assertion: PasskeyAssertion, options: PasskeyOptions): AssertionMistake | null {
  const { id, rawId, response } = assertion
  for (const [field, value] of Object.entries({
    id,
    rawId,
    'response.clientDataJSON': response.clientDataJSON,
    'response.authenticatorData': response.authenticatorData,
    'response.signature': response.signature,
  }))
    if (!isBase64Url(value)) return { field, why: 'must be base64url, as PublicKeyCredential.toJSON() writes it' }
  if (id !== rawId) return { field: 'rawId', why: 'must be the same as id' }
  return mistakeInClientData(response.clientDataJSON, options) ?? mistakeInData(response.authenticatorData, options)
}

function mistakeInClientData(encoded: string, { challenge }: PasskeyOptions): AssertionMistake | null {
  const field = 'response.clientDataJSON'
  const data = parseEncoded(encoded)
  if (data === null) return { field, why: 'must hold a JSON object' }
  if (data.type !== 'webauthn.get') return { field, why: 'must have the type webauthn.get' }
  if (typeof data.challenge !== 'string' || !decodeBytes(data.challenge).equals(decodeBytes(challenge)))
    return { field, why: 'must answer the present challenge, which GET /instance/passkey shows' }
  if (!isOfNetwork(data.origin))
    return { field, why: 'must come from a page of whatsapp.com over https, such as https://web.whatsapp.com' }
  return null
}

function mistakeInData(encoded: string, { rpId, userVerification }: PasskeyOptions): AssertionMistake | null {
  const field = 'response.authenticatorData'
  const data = decodeBytes(encoded)
  if (data.length < AUTHENTICATOR_DATA_MIN) return { field, why: `must have at least ${AUTHENTICATOR_DATA_MIN} bytes` }
  if (!data.subarray(0, FLAGS_AT).equals(createHash('sha256').update(rpId).digest()))
    return { field, why: `must be made for ${rpId}` }
  const flags = data[FLAGS_AT] ?? 0
  if ((flags & USER_PRESENT) === 0) return { field, why: 'must show that a person was present' }
  if (userVerification === 'required' && (flags & USER_VERIFIED) === 0)
    return { field, why: 'must show that the person was verified, by a fingerprint, a face or a PIN' }
  return null
}

function isOfNetwork(origin: unknown): boolean {
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' && (hostname === 'whatsapp.com' || hostname.endsWith('.whatsapp.com'))
}

function parseEncoded(encoded: string): Record<string, unknown> | null {
  try {
    // Bound: 65,536, a text of a message.
    const value: unknown = JSON.parse(decodeBytes(encoded).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isBase64Url(text: string): boolean {
  // Bound: 65,536, a text of a message.
  return /^[A-Za-z0-9_-]+={0,2}$/.test(text)
}

function decodeBytes(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
