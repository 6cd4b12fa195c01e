import { GatewayError } from '../../../schemas/errors.js'
import type { ReactReply, ReactRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askSend } from '../send/ask.js'
import { scheduledSentence, sendErrors } from '../send/options.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'

/** Matches the parts of one emoji (UTS 51, 1.4.9), besides flags and keycaps: modifiers, tags, and others joined to it. */
const ELEMENT = '\\p{Emoji}(?:\\p{EMod}|\\uFE0F|[\\u{E0020}-\\u{E007E}]+\\u{E007F})*'
// Bound: 1,048,576, a body or header of a request.
const PICTURE = new RegExp(`^(?=.*\\p{ExtPict})${ELEMENT}(?:\\u200D${ELEMENT})*$`, 'u')
// Bound: 1,048,576, a body or header of a request.
const FLAG_OR_KEYCAP = /^(?:\p{RI}{2}|[0-9#*]\uFE0F?\u20E3)$/u

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Tells whether a text is one emoji as people count them: a family of four is one, though it has seven code points. */
export function isOneEmoji(text: string): boolean {
  const [first] = segmenter.segment(text)
  return first?.segment === text && (PICTURE.test(text) || FLAG_OR_KEYCAP.test(text))
}

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
