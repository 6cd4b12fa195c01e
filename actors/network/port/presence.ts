/** The presence of this account, and of people. Types only. */
import type { ChatAddress } from '../../../schemas/jid.js'
import type { AccountPresence } from '../../../schemas/presence-kind.js'

export interface PresenceNetwork {
  /** Shows the account as available or not. @throws GatewayError PROFILE_NAME_UNKNOWN */
  show(presence: AccountPresence): Promise<void>
  /**
   * Asks for the presence of a person for as long as the connection lasts, with the person's privacy token if there is one. The network
   * answers with events, or not at all: it tells nothing to accounts that are unavailable, and may want a token.
   */
  subscribe(person: ChatAddress): Promise<void>
}
