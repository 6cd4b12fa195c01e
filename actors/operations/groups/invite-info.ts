import type { GroupInfo } from '../../../schemas/group-info.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleGroup } from './example.js'
import { withRefusalMessage } from './group-rights.js'

/** Answers with the group behind an invite code. */
export const inviteInfo = operation('inviteInfo', {
  repeat: true,
  example: exampleGroup,
  run: (context: InstanceContext, { code }: { readonly code: string }) => groupOfInvite(context, code),
})

/** @throws GatewayError INVALID_INVITE, GROUP_REFUSED */
export async function groupOfInvite(context: InstanceContext, code: string): Promise<GroupInfo> {
  const { groups } = await context.connection()
  return await orUnknown(() => groups.invitation(code)).catch(withRefusalMessage('Error processing group invite'))
}
