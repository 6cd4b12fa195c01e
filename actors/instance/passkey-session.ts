import type { Actor } from 'xstate'
import { GatewayError } from '../../schemas/errors.js'
import type { PasskeyAssertion, PasskeyStatus } from '../../schemas/session.js'
import type { Connection } from '../network/port/connection.js'
import type { LiveConnection } from './live-connection.js'
import type { instanceMachine } from './machine.js'
import { mistakeInAssertion } from './passkey-assertion.js'

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
