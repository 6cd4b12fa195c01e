import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface RenewMediaFields {
  readonly messageid: MessageId
  /** The internal id, because several messages may have the same `messageid`. A node of release 0.1.0 leaves it out: the oldest counts. */
  readonly record?: string
}

/** Asks the account's phone to put the file of a message on the network's media host again. The message row leads to it afterwards. */
export const renewMedia = operation('renewMedia', {
  // The phone puts the file there once more.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { messageid, record }: RenewMediaFields) {
    const messages = await context.reader.messagesById(context.id, [messageid])
    const message = messages.find(({ record: { id } }) => record === undefined || id === record)
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    const connection = await context.connection()
    const set = await connection.media.renew(message)
    // Another message with this id has a file of its own.
    const { chat, fromMe } = message
    const sender = senderOf(message)
    await context.journal.write([{ type: 'message.update', messageids: [messageid], chat, fromMe, sender, set }])
    return null
  },
})

/** Reads the addresses of the sender from the row, as far as it has them. */
function senderOf({ record: { sender_pn: pn, sender_lid: lid } }: MessageForActor): ChatAddress {
  return { ...(pn ? { pn: pn as Jid } : {}), ...(lid ? { lid: lid as Jid } : {}) }
}
