import { randomBytes } from 'node:crypto'
import { type Answered, type LostCall, notSent } from './answer.js'
import { greet, type KeptConnection, requestWire } from './greeting.js'
import {
  authorization,
  type Credential,
  isAnswerSound,
  type PeerKey,
  secretKey,
  sessionKey,
  signRequest,
} from './signature.js'

// Bound: 65,536, 20,000 values, the answer to a greeting.

/** Numbers the requests of one caller to one process. */
export interface PeerSession {
  readonly id: string
  readonly key: PeerKey
  lastNumber: number
}

const SESSION_TIMEOUT_MS = 2_000

/** Sends greetings: requests signed with the key of the secret itself. They change nothing, so they may be recorded and repeated. */
export class Greeter {
  readonly key: PeerKey
  readonly #from: string

  constructor(secret: string, nodeId: string) {
    this.key = secretKey(secret)
    this.#from = nodeId
  }

  probe(address: string, timeoutMs: number): Promise<Answered | LostCall> {
    return this.#greet(address, { method: 'GET', path: '/probe', body: '', timeoutMs })
  }

  async openSession(address: string): Promise<PeerSession | LostCall> {
    const nonce = randomBytes(24).toString('base64url')
    const body = JSON.stringify({ nonce })
    const answer = await this.#greet(address, { method: 'POST', path: '/session', body, timeoutMs: SESSION_TIMEOUT_MS })
    if (answer.type === 'lost') return answer
    const opened = JSON.parse(answer.body.toString()) as { session: string; nonce: string }
    return { id: opened.session, key: sessionKey(this.key, nonce, opened.nonce), lastNumber: 0 }
  }

  openWire(address: string, timeoutMs: number): Promise<KeptConnection | LostCall> {
    const request = { method: 'GET', path: '/wire', body: '' } as const
    return requestWire(address, {
      ...request,
      timeoutMs,
      from: this.#from,
      authorization: authorization(this.#sign(request)),
    })
  }

  async #greet(
    address: string,
    request: {
      readonly method: 'GET' | 'POST'
      readonly path: string
      readonly body: string
      readonly timeoutMs: number
    },
  ): Promise<Answered | LostCall> {
    const credential = this.#sign(request)
    const answer = await greet(address, { ...request, from: this.#from, authorization: authorization(credential) })
    if (answer.type === 'lost') return answer
    return answer.status === 200 && isAnswerSound(this.key, credential, answer) ? answer : notSent('garbled')
  }

  #sign({ method, path, body }: { readonly method: string; readonly path: string; readonly body: string }): Credential {
    const number = randomBytes(16).toString('base64url')
    return signRequest(this.key, { method, path, body, session: '-', number })
  }
}
