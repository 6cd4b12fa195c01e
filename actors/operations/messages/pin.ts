import type { Jid, MessageId } from '../../../schemas/ids.js'
import { isGroupJid } from '../../../schemas/jid.js'
import type { ReviseReply } from '../../../schemas/send-request.js'
import { pinTarget } from '../../instance/sends/revision-target.js'
import type { InstanceContext } from '../context.js'
import { ownMember, requireAdmin } from '../groups/group-rights.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

interface PinFields {
  /** Of the pin itself; made by the node that got the call. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  /** 0 unpins. */
  readonly seconds: number
}

/** Pins a message in its chat for all members, or unpins it. */
export const pinMessage = operation('pinMessage', {
  // Phones take two pins with one id for one.
  repeat: true,
  example: ({ id }: PinFields): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  async run(context: InstanceContext, { messageid, id, seconds }: PinFields): Promise<ReviseReply> {
    const { group } = pinTarget(await context.reader.messagesNamed(context.id, [id])).chat
    if (group !== undefined && isGroupJid(group)) await requireRight(context, group)
    return await context.sends
      .revise({ type: 'revise', messageid, id, revision: { kind: 'pin', seconds } })
      .catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      })
  },
})

/** In a group whose data only admins change, the network takes the pin of another member, and phones do not show it. */
async function requireRight(context: InstanceContext, jid: Jid): Promise<void> {
  const { groups } = await context.connection()
  const group = await orUnknown(() => groups.get(jid))
  if (group.isLocked) requireAdmin(context, group)
  else ownMember(context, group)
}
