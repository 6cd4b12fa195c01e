import { GatewayError } from '../../../schemas/errors.js'
import type { VotePollReply, VotePollRequest } from '../../../schemas/generated.js'
import { idempotencyOf } from '../../input/idempotency.js'
import { instanceRoute } from '../../route.js'
import { messageIdFor } from '../send/ask.js'
import { sendErrors } from '../send/options.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'

export const votePoll = instanceRoute<VotePollRequest>({
  method: 'POST',
  path: '/message/vote',
  name: 'votePoll',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Vote in a poll, in place of an earlier vote, or take the vote back',
  schema: 'message/vote.json',
  idempotent: true,
  errors: [...sendErrors.filter((code) => !['SCHEDULE_FULL', 'MESSAGE_ID_USED'].includes(code)), 'MISSING_ID'],
  async handle({ instance, body, headers, warnings }, { ports }): Promise<VotePollReply> {
    const { id, options } = body
    if (!id) throw new GatewayError('MISSING_ID')
    const messageid = messageIdFor({ instance, headers, body: {} }, ports)
    const asked = {
      type: 'votePoll',
      messageid,
      id,
      options: [...new Set(options)],
      ...idempotencyOf(headers, body),
    } as const
    const sent = await ports.router.ask(instance.id, asked).catch(withSendErrorMessage('Error sending message'))
    warnings.push(...sent.warnings)
    const { record } = sent
    return { ...reducedRecord(record), vote: String(record.vote ?? '') }
  },
})
