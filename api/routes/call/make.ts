import { randomBytes } from 'node:crypto'
import type {
  CreateCallLinkReply,
  CreateCallLinkRequest,
  MakeCallReply,
  MakeCallRequest,
} from '../../../schemas/generated.js'
import { parseAddress } from '../../../schemas/jid.js'
import { readInstant } from '../../../schemas/send-time.js'
import { instanceRoute } from '../../route.js'

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
