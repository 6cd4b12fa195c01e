import { GatewayError } from '../../../schemas/errors.js'
import type { RejectCallReply, RejectCallRequest } from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { instanceRoute, type Route } from '../../route.js'
import { createCallLink, makeCall } from './make.js'

const rejectCall = instanceRoute<RejectCallRequest>({
  method: 'POST',
  path: '/call/reject',
  name: 'rejectCall',
  area: 'Call',
  scope: 'token',
  summary: 'Refuse an incoming call, or end one that the account makes',
  schema: 'call/reject.json',
  errors: [
    'INVALID_NUMBER',
    'MISSING_CALL_ID',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'CALL_REJECT_FAILED',
    'NETWORK_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body: { number, id } }, { ports }): Promise<RejectCallReply> {
    if (id === undefined) throw new GatewayError('MISSING_CALL_ID', { details: [{ field: 'id', why: 'is required' }] })
    if (number !== undefined) parseAddress(number)
    const rejected = await ports.router
      .ask(instance.id, {
        type: 'rejectCall',
        ...(number === undefined ? {} : { number }),
        id,
      })
      .catch(asClientNotFound)
    return { response: 'Call rejected', id: rejected.id }
  },
})

/** Replaces the text of the error for an instance without a session by that of the interface. */
function asClientNotFound(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'INSTANCE_NOT_CONNECTED') throw error
  throw new GatewayError('INSTANCE_NOT_CONNECTED', { message: 'client not found', cause: error })
}

/** Routes of the area, in the order of the documentation. */
export const callRoutes: readonly Route[] = [makeCall, createCallLink, rejectCall]
