import { GatewayError } from '../../../schemas/errors.js'
import { starChange } from '../../instance/message-changes.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

interface StarFields {
  readonly id: string
  readonly isSet: boolean
}

/** Stars a message on all devices of the account, or takes the star away. */
export const starMessage = operation('starMessage', {
  repeat: true,
  example: { messageid: '3EB0C767D097B7C7C030' },
  async run(context: InstanceContext, { id, isSet }: StarFields): Promise<{ readonly messageid: string }> {
    const connection = await context.connection()
    const named = await context.reader.messagesNamed(context.id, [id])
    const message = named.find(({ status }) => status !== 'deleted')
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    if (['queued', 'failed', 'canceled'].includes(message.status)) throw new GatewayError('MESSAGE_NOT_SENT')
    await orUnknown(() => connection.settings.change({ kind: 'star', message, isSet }))
    const { messageid, chat, fromMe } = message
    await context.journal.write([starChange({ messageid, chat, fromMe, isSet })])
    return { messageid }
  },
})
