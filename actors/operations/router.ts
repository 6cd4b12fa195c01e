/** Types only. */

import type { CallContext } from '../../schemas/call-context.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Command, ReplyOf } from './index.js'

/**
 * Asks an instance to do something, wherever it lives. Resolves within the call's deadline. While the instance moves, the call waits.
 * @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, INVALID_NUMBER, NOT_ON_NETWORK, SEND_REFUSED,
 * CHAT_NOT_FOUND, MISSING_CALL_ID, CALL_REJECT_FAILED, OUTCOME_UNKNOWN, STORE_UNAVAILABLE, IDEMPOTENCY_CONFLICT, PAIRING_FAILED, NODE_BUSY, NODE_FAILED
 */
export interface CommandRouter {
  ask<C extends Command>(instance: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]>
}
