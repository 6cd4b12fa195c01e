import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleGroup } from './example.js'
import { requireAdmin } from './group-rights.js'

interface InviteCodeFields {
  readonly group: Jid
  readonly isReset: boolean
}

/** Answers with the invite code of a group; `isReset` replaces it first. */
export const inviteCode = operation('inviteCode', {
  // A second reset would end the link that the first one made.
  repeat: (command: InviteCodeFields) => (command.isReset ? null : command),
  example: { group: exampleGroup, inviteCode: '' },
  async run(context: InstanceContext, { group, isReset }: InviteCodeFields) {
    const { groups } = await context.connection()
    const info = requireAdmin(context, await orUnknown(() => groups.get(group)))
    return { inviteCode: await orUnknown(() => groups.inviteCode(group, isReset)), group: info }
  },
})
