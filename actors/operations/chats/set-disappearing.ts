import type { MessageId } from '../../../schemas/ids.js'
import { chatIdOf, isGroupJid, parseRecipient } from '../../../schemas/jid.js'
import { forgetChat } from '../../instance/sends/resolve.js'
import type { InstanceContext } from '../context.js'
import { changeGroup } from '../groups/change.js'
import { knownChat } from '../known-chat.js'
import { operation } from '../operation.js'

interface SetDisappearingFields {
  /** Of the change itself; made by the node that got the call. */
  readonly messageid: MessageId
  readonly number: string
  /** 0: messages stay. */
  readonly seconds: number
}

/** Lets messages of a chat disappear, for all who are in it. */
export const setDisappearing = operation('setDisappearing', {
  // The second time sets the same.
  repeat: true,
  example: { chat: '5511999990002@s.whatsapp.net' },
  async run(
    context: InstanceContext,
    { messageid, number, seconds }: SetDisappearingFields,
  ): Promise<{ chat: string }> {
    await context.connection()
    const { group } = parseRecipient(number)
    if (group !== undefined && isGroupJid(group)) {
      await changeGroup.run(context, { group, change: { kind: 'ephemeral', seconds } })
      return { chat: group }
    }
    const { address } = await knownChat(context.id, number, context.reader)
    await context.sends.setTimer(messageid, address, seconds).catch(async (error: unknown) => {
      throw await context.limits.explained(error)
    })
    forgetChat(context, address)
    return { chat: chatIdOf(address) }
  },
})
