import { GatewayError } from '../../../schemas/errors.js'
import type { SendForwardReply, SendForwardRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { checkAddresses, sendErrors } from './options.js'
import { sendReply } from './reply.js'

const FORWARDED: ReadonlySet<unknown> = new Set([
  ...['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contact'],
])

export const sendForward = instanceRoute<SendForwardRequest>({
  method: 'POST',
  path: '/send/forward',
  name: 'sendForward',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['id', 'replyid'] },
  summary: 'Forward a stored message to another chat',
  schema: 'send/forward.json',
  idempotent: true,
  errors: [...sendErrors, 'MISSING_ID', 'MESSAGE_NOT_SENT', 'MEDIA_UNAVAILABLE'],
  async handle(call, { ports }): Promise<SendForwardReply> {
    const { id } = call.body
    if (!id) throw new GatewayError('MISSING_ID')
    checkAddresses(call.body)
    const [record] = (await ports.messages.find(call.instance.id, { id, limit: 1, offset: 0 })).messages
    if (record === undefined || record.status === 'deleted') throw new GatewayError('MESSAGE_NOT_FOUND')
    if (!FORWARDED.has(record.messageType)) {
      const message = `Not supported: a message of type ${String(record.messageType)} cannot be forwarded.`
      throw new GatewayError('NOT_SUPPORTED', { message })
    }
    const [messageType, type, mediaType] = [record.messageType, record.type, record.mediaType].map(String)
    const shown = { messageType: messageType ?? '', type: type ?? '', mediaType: mediaType ?? '' }
    const content = { kind: 'forward', id, ...shown, text: String(record.text ?? '') } as const
    return sendReply(await askSend(call, content, ports))
  },
})
