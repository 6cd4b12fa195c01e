import { GatewayError } from '../../../schemas/errors.js'
import { orUnknown } from '../../instance/outcome.js'
import type { GroupInvitation } from '../../network/port/groups.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleGroup } from './example.js'
import { writeGroupChat } from './group-chat.js'
import { withRefusalMessage } from './group-rights.js'
import { groupOfInvite } from './invite-info.js'

/** The network's code when this account is a member already. */
const CONFLICT = 409
/** Its codes for an invitation that has ended, and for one that is not known. */
const GONE = 410
const NOT_ACCEPTABLE = 406

interface JoinFields {
  readonly code: string
  /** Of an invitation that was sent to this account alone. A node of the former release takes its code for one of the group, which it is not. */
  readonly sent?: Omit<GroupInvitation, 'code'>
}

/**
 * Joins the group behind an invite code. Checks the code first, so that a wrong one joins nothing. `isPending`: an admin must agree;
 * the group is then as the invitation shows it.
 */
export const joinGroup = operation('joinGroup', {
  repeat: false,
  example: { group: exampleGroup, isPending: false },
  async run(context: InstanceContext, { code, sent }: JoinFields) {
    const { groups } = await context.connection()
    if (sent !== undefined) return await acceptInvitation(context, { code, ...sent })
    const invitation = await groupOfInvite(context, code)
    const isMember = await orUnknown(() => groups.join(code)).catch((error: unknown) => {
      if (error instanceof GatewayError && error.fields.provider_code === CONFLICT) return true
      return withRefusalMessage('Unable to join group')(error)
    })
    if (!isMember) return { group: invitation, isPending: true }
    const group = await orUnknown(() => groups.fetch(invitation.jid))
    await writeGroupChat(context, group)
    return { group, isPending: false }
  },
})

/** Nobody but the members can look at such a group before. */
async function acceptInvitation(context: InstanceContext, invitation: GroupInvitation) {
  const { groups } = await context.connection()
  const isMember = await orUnknown(() => groups.accept(invitation)).catch((error: unknown) => {
    const code = error instanceof GatewayError ? error.fields.provider_code : undefined
    if (code === CONFLICT) return true
    if (code === GONE || code === NOT_ACCEPTABLE) throw new GatewayError('INVALID_INVITE', { cause: error })
    return withRefusalMessage('Unable to join group')(error)
  })
  if (!isMember) return { group: { ...exampleGroup, jid: invitation.group }, isPending: true }
  const group = await orUnknown(() => groups.fetch(invitation.group))
  await writeGroupChat(context, group)
  return { group, isPending: false }
}
