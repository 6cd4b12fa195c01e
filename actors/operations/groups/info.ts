import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleGroup } from './example.js'
import { answerWhenStored } from './group-chat.js'
import { isAdmin } from './group-rights.js'

interface GroupInfoFields {
  readonly group: Jid
  /** Asks the network even when the group is known. */
  readonly isFresh: boolean
  readonly withInvite: boolean
  /** Fetches the people who ask to join, too. */
  readonly withRequests: boolean
}

/** Answers with a group. Only an admin sees the invite code and the requests to join; for others they are empty. */
export const groupInfo = operation('groupInfo', {
  repeat: true,
  example: { group: exampleGroup, inviteCode: '', requests: [] },
  async run(context: InstanceContext, { group, isFresh, withInvite, withRequests }: GroupInfoFields) {
    const { groups } = await context.connection()
    const info = await orUnknown(() => (isFresh ? groups.fetch(group) : groups.get(group)))
    const mayAsk = isAdmin(context, info)
    const inviteCode = withInvite && mayAsk ? await orUnknown(() => groups.inviteCode(group, false)) : ''
    const requests = withRequests && mayAsk ? await orUnknown(() => groups.requests(group)) : []
    return await answerWhenStored(context, { group: info, inviteCode, requests })
  },
})
