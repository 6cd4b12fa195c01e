/**
 * Signatures by which nodes prove to each other that they know CLUSTER_SECRET, without showing it and without a clock.
 *
 * A caller opens a session with each process it speaks to: both name a random number, and the key of the session is made of the secret
 * and both. Every request carries the session, the next number of a counter, and an HMAC over both, the method, the path and the body;
 * every answer one over its status, its body and the request that it answers. So:
 * - a request that was recorded is of no use: to the same process its number has been used, to another one, or to the same program
 *   after a restart, its session is unknown. What a process remembers of numbers may be forgotten together with the session;
 * - an answer fits one request only, so that nobody can say "moved" or "nothing was done" in the name of a node;
 * - clocks do not matter.
 * Bodies are not encrypted: the network between nodes is trusted not to listen to more than it routes.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

// Ours: addresses and errors of our own nodes.

/** Key of the secret itself (for greetings and probes), or of one session. */
export type PeerKey = KeyObject

/** Session, number and signature of one request. The signature of an answer covers all three, so that it fits no other session either. */
export type Credential = string

export interface Signed {
  readonly credential: Credential
  /** `-` if the request is signed with the key of the secret itself. */
  readonly session: string
  /** Next number of the session's counter, or a random word. */
  readonly number: string
  readonly signature: string
}

const SCHEME = 'Posthorn'
/** Maximum distance of a number behind the greatest one: over many connections requests overtake each other. */
const WINDOW = 16_384

export function secretKey(secret: string): PeerKey {
  return mac(createSecretKey(Buffer.from(secret)), 'posthorn peers, version 1')
}

export function sessionKey(key: PeerKey, callerNonce: string, ownNonce: string): PeerKey {
  return mac(key, `session\n${callerNonce}\n${ownNonce}`)
}

export function signRequest(
  key: PeerKey,
  request: { method: string; path: string; session: string; number: string; body: string | Buffer },
): Credential {
  return `${request.session}.${request.number}.${requestSignature(key, request)}`
}

export function authorization(credential: Credential): string {
  return `${SCHEME} ${credential}`
}

/** Returns null when the header has another form. */
export function readAuthorization(header = ''): Signed | null {
  return header.startsWith(`${SCHEME} `) ? readCredential(header.slice(SCHEME.length + 1)) : null
}

/** Returns null when the text has another form. */
export function readCredential(credential: Credential): Signed | null {
  const [, session, number, signature] = /^([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{43})$/.exec(credential) ?? []
  if (session === undefined || number === undefined || signature === undefined) return null
  return { credential, session, number, signature }
}

export function isRequestSound(
  key: PeerKey,
  { session, number, signature }: Signed,
  request: { method: string; path: string; body: Buffer },
): boolean {
  return isEqual(requestSignature(key, { ...request, session, number }), signature)
}

export function answerSignature(key: PeerKey, to: Credential, status: number, body: string | Buffer): string {
  return createHmac('sha256', key).update(`answer\n${to}\n${status}\n`).update(body).digest('base64url')
}

export function isAnswerSound(
  key: PeerKey,
  to: Credential,
  answer: { status: number; body: string | Buffer; signature: string },
): boolean {
  return isEqual(answerSignature(key, to, answer.status, answer.body), answer.signature)
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Used numbers of a session, as far back as requests may overtake each other. */
export class UsedNumbers {
  readonly #bits = new Uint32Array(WINDOW / 32)
  #greatest = 0

  /** Notes a number. Returns false when it was used before, or is so old that nobody knows. */
  use(number: number): boolean {
    if (!Number.isSafeInteger(number) || number <= this.#greatest - WINDOW || number < 1) return false
    if (number > this.#greatest + WINDOW) this.#bits.fill(0)
    else for (let passed = this.#greatest + 1; passed <= number; passed += 1) this.#set(passed, false)
    if (number <= this.#greatest && this.#has(number)) return false
    this.#set(number, true)
    this.#greatest = Math.max(this.#greatest, number)
    return true
  }

  #has(number: number): boolean {
    const at = number % WINDOW
    return ((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
  }

  #set(number: number, isUsed: boolean): void {
    const at = number % WINDOW
    const bit = 1 << (at & 31)
    const word = this.#bits[at >>> 5] ?? 0
    this.#bits[at >>> 5] = isUsed ? word | bit : word & ~bit
  }
}

function requestSignature(
  key: PeerKey,
  request: { method: string; path: string; session: string; number: string; body: string | Buffer },
): string {
  const { method, path, session, number, body } = request
  return createHmac('sha256', key)
    .update(`request\n${method} ${path}\n${session}\n${number}\n`)
    .update(body)
    .digest('base64url')
}

function mac(key: PeerKey, text: string): PeerKey {
  return createSecretKey(createHmac('sha256', key).update(text).digest())
}
