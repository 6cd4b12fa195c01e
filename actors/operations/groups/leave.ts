import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { mapRefusal } from './group-rights.js'

/** Leaves a group. Its chat stays. */
export const leaveGroup = operation('leaveGroup', {
  repeat: false,
  example: null,
  async run(context: InstanceContext, { group }: { readonly group: Jid }) {
    const { groups } = await context.connection()
    await orUnknown(() => groups.leave(group)).catch(mapRefusal([403, 404], 'GROUP_NOT_FOUND'))
    const set = { wa_isGroup_member: false, wa_isGroup_admin: false }
    await context.journal.write([{ type: 'chat', chat: { group }, set, announce: true, known: true }])
    return null
  },
})
