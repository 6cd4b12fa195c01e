/** Pairing of an account that WhatsApp asks for a passkey. Types only. */
import type { PasskeyAssertion } from '../../../schemas/session.js'

export interface PasskeyNetwork {
  /**
   * Sends the signed challenge. Resolves when the network took it; the event `passkeyCode` follows. A failure ends the connection.
   * @param compareCode true to have the person compare codes, although the network would link without
   * @throws GatewayError PAIRING_FAILED, INSTANCE_NOT_CONNECTED
   */
  respond(assertion: PasskeyAssertion, compareCode: boolean): Promise<void>
  /**
   * Says that the person has seen the same code on the phone. Resolves when the network took it. A failure ends the connection.
   * @throws GatewayError PAIRING_FAILED, INSTANCE_NOT_CONNECTED
   */
  confirm(): Promise<void>
}
