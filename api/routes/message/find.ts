import type { FindMessagesReply, FindMessagesRequest, Message } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute } from '../../route.js'

export const findMessages = instanceRoute<FindMessagesRequest>({
  method: 'POST',
  path: '/message/find',
  isSearch: true,
  name: 'findMessages',
  area: 'Message',
  scope: 'read',
  keyChat: { chat: 'chatid', isNarrowed: true },
  summary: 'Search the stored messages, newest first',
  schema: 'message/find.json',
  errors: ['INVALID_NUMBER', 'MESSAGE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<FindMessagesReply> {
    checkPlaces(body)
    const { id, chatid, track_source, track_id, status, text, limit = 100, offset = 0 } = body
    const { messages, hasMore, older, newer } = await ports.messages.find(instance.id, {
      ...(id ? { id } : {}),
      ...(chatid ? { chatid } : {}),
      ...(track_source ? { trackSource: track_source } : {}),
      ...(track_id ? { trackId: track_id } : {}),
      ...(status ? { status: status.toLowerCase() } : {}),
      ...(text ? { text } : {}),
      ...placeOf(body),
      limit,
      offset,
    })
    return {
      returnedMessages: messages.length,
      messages: messages.map((message) => ({
        ...message,
        fileURL: ports.media.linkTo(instance.id, message),
      })) as unknown as Message[],
      limit,
      offset,
      nextOffset: offset + messages.length,
      hasMore,
      older,
      newer,
    }
  },
})

type Places = Pick<FindMessagesRequest, 'before' | 'after' | 'around'>

function placeOf({ before, after, around }: Places): Places {
  return { ...(before ? { before } : {}), ...(after ? { after } : {}), ...(around ? { around } : {}) }
}

/** Refuses fields that contradict each other. @throws GatewayError INVALID_REQUEST */
function checkPlaces(body: FindMessagesRequest): void {
  const places = Object.keys(placeOf(body))
  const [place, second] = places
  if (second !== undefined) throw invalidField(second, `cannot stand beside ${place}`)
  if (place !== undefined && body.id) throw invalidField(place, 'cannot stand beside id')
  if (place === 'around' && body.text) throw invalidField('around', 'cannot stand beside text')
  if (body.id && body.text) throw invalidField('text', 'cannot stand beside id')
  if (body.offset && (place !== undefined || body.text))
    throw invalidField('offset', `cannot stand beside ${place ?? 'text'}: use older and newer of the former page`)
}
