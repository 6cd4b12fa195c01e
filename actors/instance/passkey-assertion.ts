import { createHash } from 'node:crypto'
import type { PasskeyAssertion, PasskeyOptions } from '../../schemas/session.js'

// Bound: 65,536, a text of a message.

export interface AssertionMistake {
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
export function mistakeInAssertion(assertion: PasskeyAssertion, options: PasskeyOptions): AssertionMistake | null {
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
  const data = jsonOf(encoded)
  if (data === null) return { field, why: 'must hold a JSON object' }
  if (data.type !== 'webauthn.get') return { field, why: 'must have the type webauthn.get' }
  if (typeof data.challenge !== 'string' || !bytesOf(data.challenge).equals(bytesOf(challenge)))
    return { field, why: 'must answer the present challenge, which GET /instance/passkey shows' }
  if (!isOfNetwork(data.origin))
    return { field, why: 'must come from a page of whatsapp.com over https, such as https://web.whatsapp.com' }
  return null
}

function mistakeInData(encoded: string, { rpId, userVerification }: PasskeyOptions): AssertionMistake | null {
  const field = 'response.authenticatorData'
  const data = bytesOf(encoded)
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

function jsonOf(encoded: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytesOf(encoded).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isBase64Url(text: string): boolean {
  return /^[A-Za-z0-9_-]+={0,2}$/.test(text)
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
