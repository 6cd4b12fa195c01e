import type { FindMessagesReply, FindMessagesRequest, Message } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { StoreLossView } from '../../../schemas/ports/cluster.js'
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
    const { id, chatid, track_source, track_id, status, text, pinned, limit = 100, offset = 0 } = body
    const { messages, hasMore, older, newer } = await ports.messages.find(instance.id, {
      ...(id ? { id } : {}),
      ...(chatid ? { chatid } : {}),
      ...(track_source ? { trackSource: track_source } : {}),
      ...(track_id ? { trackId: track_id } : {}),
      ...(status ? { status: status.toLowerCase() } : {}),
      ...(text ? { text } : {}),
      ...(pinned ? { pinned } : {}),
      ...pickPlace(body),
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
      ...lackIn(messages, body, ports.cluster.store().wentBack),
    }
  },
})

/**
 * Marks a page that is not newer than a span whose commits the store lost. Nobody knows which messages webhooks and streams had reported, so the
 * span is all that can be said.
 */
function lackIn(
  messages: readonly Readonly<Record<string, unknown>>[],
  { id }: FindMessagesRequest,
  loss: StoreLossView | null,
): Pick<FindMessagesReply, 'mayLack'> {
  if (loss === null || (id && messages.length > 0)) return {}
  const { from, until, era } = loss
  const isNewer = until !== null && messages.length > 0 && Number(messages.at(-1)?.messageTimestamp) > until.getTime()
  if (isNewer) return {}
  return { mayLack: { from: from?.toISOString() ?? null, until: until?.toISOString() ?? null, era } }
}

type Places = Pick<FindMessagesRequest, 'before' | 'after' | 'around'>

function pickPlace({ before, after, around }: Places): Places {
  return { ...(before ? { before } : {}), ...(after ? { after } : {}), ...(around ? { around } : {}) }
}

/** Refuses fields that contradict each other. @throws GatewayError INVALID_REQUEST */
function checkPlaces(body: FindMessagesRequest): void {
  const places = Object.keys(pickPlace(body))
  const [place, second] = places
  if (second !== undefined) throw invalidField(second, `cannot stand beside ${place}`)
  if (place !== undefined && body.id) throw invalidField(place, 'cannot stand beside id')
  const looks = body.text ? 'text' : body.pinned ? 'pinned' : undefined
  if (place === 'around' && looks !== undefined) throw invalidField('around', `cannot stand beside ${looks}`)
  if (body.id && looks !== undefined) throw invalidField(looks, 'cannot stand beside id')
  if (body.offset && (place !== undefined || looks !== undefined))
    throw invalidField('offset', `cannot stand beside ${place ?? looks}: use older and newer of the former page`)
}
