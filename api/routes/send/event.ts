import type { SendEventReply, SendEventRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { EventContent } from '../../../schemas/send-content.js'
import { readInstant } from '../../../schemas/send-time.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendEvent = instanceRoute<SendEventRequest>({
  method: 'POST',
  path: '/send/event',
  name: 'sendEvent',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send an event, which people answer',
  schema: 'send/event.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendEventReply> {
    return sendReply(await askSend(call, eventContentOf(call.body), ports))
  },
})

/** @throws GatewayError INVALID_REQUEST */
function eventContentOf(body: SendEventRequest): EventContent {
  const { name, description, startTime, endTime, placeName, latitude, longitude, extraGuests } = body
  const startMs = readInstant(String(startTime), 'startTime')
  const endMs = endTime === undefined || endTime === '' ? undefined : readInstant(String(endTime), 'endTime')
  if (endMs !== undefined && endMs < startMs) throw invalidField('endTime', 'must not be before startTime')
  if (latitude === undefined && longitude !== undefined) throw invalidField('latitude', 'is required with longitude')
  if (longitude === undefined && latitude !== undefined) throw invalidField('longitude', 'is required with latitude')
  return {
    ...{ kind: 'event', name, startMs },
    ...(description ? { description } : {}),
    ...(endMs === undefined ? {} : { endMs }),
    ...(placeName ? { placeName } : {}),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
    ...(extraGuests === undefined ? {} : { extraGuests }),
  }
}
