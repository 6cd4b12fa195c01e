import type { PasskeyOptions } from '../../../../schemas/session.js'

// Bound: 65,536, a text or attribute of a stanza.

/** Maximum size of the network's options. Ordinary ones have a few hundred bytes. */
const OPTIONS_BYTES_MAX = 16_384
const CHALLENGE_BYTES_MIN = 16
const LASTS_MAX_MS = 600_000
const LASTS_MIN_MS = 10_000

/** Fields of a WebAuthn request that a browser takes. Others are left out. */
const FIELDS = ['timeout', 'allowCredentials', 'userVerification', 'extensions', 'hints'] as const

export interface ReadOptions {
  readonly publicKey: PasskeyOptions
  /** Time that a person has to sign. */
  readonly lastsMs: number
}

/** Reads the options of the network's WebAuthn request; null if no browser could use them. */
export function readPasskeyOptions(content: unknown): ReadOptions | null {
  if (!(content instanceof Uint8Array) || content.length > OPTIONS_BYTES_MAX) return null
  const given = parse(content)
  if (given === null) return null
  const { challenge, rpId } = given
  if (typeof challenge !== 'string' || Buffer.from(challenge, 'base64url').length < CHALLENGE_BYTES_MIN) return null
  if (typeof rpId !== 'string' || !/^([a-z0-9-]+\.)*whatsapp\.com$/.test(rpId)) return null
  const rest = Object.fromEntries(FIELDS.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  const timeoutMs = typeof given.timeout === 'number' ? given.timeout : LASTS_MAX_MS
  return {
    publicKey: { challenge, rpId, ...rest },
    lastsMs: Math.max(LASTS_MIN_MS, Math.min(LASTS_MAX_MS, timeoutMs)),
  }
}

function parse(content: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
