/** Asks for a person's consent: a proof names one call of one token, and ends. All nodes know the proofs of each other. */
import { createHmac, timingSafeEqual } from 'node:crypto'

// Bound: 16,384, 5,000 values, a body whose keys are counted.

export interface Confirmations {
  /** Makes the proof of a call, to be shown again when a person agreed. */
  makeProof(call: ConfirmedCall): string
  /** Tells whether the proof is of this call and has not ended. */
  isProof(proof: string, call: ConfirmedCall): boolean
}

export interface ConfirmedCall {
  /** Hash of the token of the caller. */
  readonly tokenKey: string
  readonly tool: string
  readonly args: unknown
}

const LIFE_MS = 10 * 60_000

export function createConfirmations(key: Buffer, now: () => number = Date.now): Confirmations {
  const computeMac = (ends: string, { tokenKey, tool, args }: ConfirmedCall): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([ends, tokenKey, tool, sorted(args)]))
      .digest()
      .subarray(0, 18)

  return {
    makeProof(call) {
      const ends = Math.ceil((now() + LIFE_MS) / 1_000).toString(36)
      return `${ends}.${computeMac(ends, call).toString('base64url')}`
    },
    isProof(proof, call) {
      const [ends = '', given = ''] = proof.split('.')
      const wanted = computeMac(ends, call)
      const shown = Buffer.from(given, 'base64url')
      if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return false
      return Number.parseInt(ends, 36) * 1_000 >= now()
    },
  }
}

/** Orders the keys of objects, so that a client may write them in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, inner]) => [name, sorted(inner)])
}

/** Thrown by a tool that needs the consent of a person. */
export class ConfirmationNeeded extends Error {
  /** Proof of the call, for when a person has agreed. */
  readonly proof: string

  constructor(question: string, proof: string) {
    super(question)
    this.name = 'ConfirmationNeeded'
    this.proof = proof
  }
}
