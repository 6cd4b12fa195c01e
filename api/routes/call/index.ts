import { randomBytes } from 'node:crypto'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  CreateCallLinkReply,
  CreateCallLinkRequest,
  MakeCallReply,
  MakeCallRequest,
  RejectCallReply,
  RejectCallRequest,
} from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { readInstant } from '../../../schemas/send-time.js'
import { instanceRoute, type Route } from '../../route.js'

const DURATION_SECONDS = 30

export const makeCall = instanceRoute<MakeCallRequest>({
  method: 'POST',
  path: '/call/make',
  name: 'makeCall',
  area: 'Call',
  scope: 'send',
  keyChat: { chat: 'number' },
  summary: 'Ring a person, without sound',
  schema: 'call/make.json',
  idempotent: 'kept',
  errors: [
    'INVALID_NUMBER',
    'NOT_ON_NETWORK',
    'CALL_RUNNING',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'NETWORK_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body }, { ports }): Promise<MakeCallReply> {
    const { number, call_duration: seconds = DURATION_SECONDS, video: isVideo = false } = body
    parseAddress(number)
    const id = randomBytes(16).toString('hex').toUpperCase()
    await ports.router.ask(instance.id, { type: 'makeCall', id, number, isVideo, forMs: seconds * 1000 })
    return { response: 'Call started', id, call_duration: seconds }
  },
})

export const createCallLink = instanceRoute<CreateCallLinkRequest>({
  method: 'POST',
  path: '/call/link',
  name: 'createCallLink',
  area: 'Call',
  scope: 'send',
  summary: 'Make a link by which people join a call',
  schema: 'call/link.json',
  idempotent: 'kept',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NETWORK_REFUSED', 'OUTCOME_UNKNOWN'],
  async handle({ instance, body: { video: isVideo = false, startTime } }, { ports }): Promise<CreateCallLinkReply> {
    const startMs = startTime === undefined || startTime === '' ? null : readInstant(String(startTime), 'startTime')
    return await ports.router.ask(instance.id, { type: 'createCallLink', isVideo, startMs })
  },
})

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
