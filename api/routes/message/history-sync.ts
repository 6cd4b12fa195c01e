import type { HistorySyncReply, HistorySyncRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'

/** Phones send so many at most (automagik-dev/omni issue 1121). */
const COUNT_OF_PHONES = 50

const WAITING =
  'The phone was asked and has not answered yet. It must be on and online. The event `history` brings the messages, or says after a minute that no answer came.'

export const syncHistory = instanceRoute<HistorySyncRequest>({
  method: 'POST',
  path: '/message/history-sync',
  name: 'syncHistory',
  area: 'Message',
  scope: 'token',
  summary: 'Ask the phone for messages of the past',
  schema: 'message/history-sync.json',
  errors: [
    'INVALID_NUMBER',
    'CHAT_NOT_FOUND',
    'MESSAGE_NOT_FOUND',
    'HISTORY_RUNNING',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<HistorySyncReply> {
    const { number, mode = 'history', messageid: id, count: wanted = COUNT_OF_PHONES } = body
    if (mode === 'exact' && !id) throw invalidField('messageid', 'is required in the mode exact')
    if (mode === 'exact' && body.count !== undefined) warnings.push('count: the mode exact is for one message, ignored')
    else if (wanted > COUNT_OF_PHONES)
      warnings.push(`count: phones send ${COUNT_OF_PHONES} messages at most; ask again for earlier ones`)
    const count = mode === 'exact' ? 1 : Math.min(wanted, COUNT_OF_PHONES)
    const requestId = newMessageId()
    const { chat, messageid, answer } = await ports.router.ask(instance.id, {
      type: 'requestHistory',
      ...{ requestId, number, mode, count, ...(id ? { id } : {}) },
    })
    const asked = { requestId, chat, messageid, count }
    if (answer === null) return { success: true, mode, message: WAITING, details: { ...asked, state: 'waiting' } }
    const { messages, isEnd: isComplete } = answer
    const sentence =
      messages === 0 ? 'The phone answered and has no such message.' : `The phone sent ${messages} messages.`
    return { success: true, mode, message: sentence, details: { ...asked, state: 'answered', messages, isComplete } }
  },
})
