import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { ReviseReply } from '../../../schemas/send-request.js'
import { pinTarget } from '../../instance/sends/revision-target.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface KeepFields {
  /** Of the change itself; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  readonly isKept: boolean
}

/** Keeps a message of a chat whose messages disappear, for all members, or lets it disappear. */
export const keepMessage = operation('keepMessage', {
  // Phones take two changes with one id for one.
  repeat: true,
  example: ({ id }: KeepFields): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  async run(context: InstanceContext, { messageid, id, isKept }: KeepFields): Promise<ReviseReply> {
    const { chat } = pinTarget(await context.reader.messagesNamed(context.id, [id]))
    const record = await context.reader.chat(context.id, chat)
    if (!Number(record?.wa_ephemeralExpiration))
      throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: messages of this chat do not disappear.' })
    return await context.sends
      .revise({ type: 'revise', messageid, id, revision: { kind: 'keep', isKept } })
      .catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      })
  },
})
