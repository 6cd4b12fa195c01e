import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'
import { exampleGroup } from './example.js'
import { writeGroupChat } from './group-chat.js'
import { withRefusalMessage } from './group-rights.js'
import { groupOfInvite } from './invite-info.js'

/** The network's code when this account is a member already. */
const CONFLICT = 409

/**
 * Joins the group behind an invite code. Checks the code first, so that a wrong one joins nothing. `isPending`: an admin must agree;
 * the group is then as the invitation shows it.
 */
export const joinGroup = operation('joinGroup', {
  repeat: false,
  example: { group: exampleGroup, isPending: false },
  async run(context: InstanceContext, { code }: { readonly code: string }) {
    const { groups } = await context.connection()
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
