import { GatewayError } from '../../../schemas/errors.js'
import type { ReactReply, ReactRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askSend } from '../send/ask.js'
import { sendErrors } from '../send/options.js'
import { scheduledSentence } from '../send/reply.js'
import { isOneEmoji } from './emoji.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'

/** Fields that every send takes, and that reactions of the network do not have. */
const NO_PLACE = ['replyid', 'mentions', 'forward'] as const

function sentence(record: Readonly<Record<string, unknown>>, isRemoved: boolean): string {
  const { status } = record
  if (status === 'scheduled') return scheduledSentence(record)
  if (status === 'queued') return isRemoved ? 'Removal of the reaction queued' : 'Reaction queued'
  if (status === 'pending') return 'Reaction accepted; WhatsApp has not acknowledged it yet'
  return isRemoved ? 'Reaction removed' : 'Reaction sent'
}

export const reactToMessage = instanceRoute<ReactRequest>({
  method: 'POST',
  path: '/message/react',
  name: 'reactToMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['id'] },
  summary: 'React to a message of another person, or remove the reaction',
  schema: 'message/react.json',
  idempotent: true,
  errors: [
    ...sendErrors.filter((code) => code !== 'SEND_REFUSED'),
    'MISSING_ID',
    'INVALID_EMOJI',
    'OWN_MESSAGE',
    'MESSAGE_TOO_OLD',
    'SEND_FAILED',
  ],
  async handle(call, { ports }): Promise<ReactReply> {
    const { id, text } = call.body
    if (!id) throw new GatewayError('MISSING_ID')
    if (text !== '' && !isOneEmoji(text)) throw new GatewayError('INVALID_EMOJI')
    const record = await askSend(call, { kind: 'reaction', id, emoji: text }, ports).catch(
      withSendErrorMessage('Error sending message', 'SEND_FAILED'),
    )
    const isRemoved = text === ''
    for (const field of NO_PLACE)
      if (call.body[field]) call.warnings.push(`${field}: a reaction cannot carry it, ignored`)
    return {
      ...reducedRecord(record),
      success: true,
      message: sentence(record, isRemoved),
      reaction: {
        id: String(record.messageid),
        emoji: isRemoved ? null : text,
        timestamp: Number(record.messageTimestamp),
        status: isRemoved ? 'removed' : 'sent',
      },
    }
  },
})
