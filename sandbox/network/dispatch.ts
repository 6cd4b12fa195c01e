/** Every stanza of a logged-in device (companion or phone) comes through here. */
import type { Node } from '../wire/nodes.js'
import { handleCall } from './calls.js'
import type { Session } from './model.js'
import type { Network } from './network.js'
import { handleChatState, handlePresence } from './presence.js'
import { handleAck, handleReceipt } from './receipts.js'
import { handleMessage } from './relay.js'
import { handleRequest } from './requests.js'

export function dispatch(network: Network, session: Session, stanza: Node): void {
  switch (stanza.tag) {
    case 'iq':
      handleRequest(network, session, stanza)
      break
    case 'message':
      handleMessage(network, session, stanza)
      break
    case 'receipt':
      handleReceipt(network, session, stanza)
      break
    case 'ack':
      handleAck(network, session, stanza)
      break
    case 'presence':
      handlePresence(network, session, stanza)
      break
    case 'chatstate':
      handleChatState(network, session, stanza)
      break
    case 'call':
      handleCall(network, session, stanza)
      break
    default:
      // `ib` (telemetry) needs no answer here.
      break
  }
}
