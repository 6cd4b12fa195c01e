import type { EditCommunityReply, EditCommunityRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid } from '../group/record.js'

export const editCommunityGroups = instanceRoute<EditCommunityRequest>({
  method: 'POST',
  path: '/community/editgroups',
  name: 'editCommunityGroups',
  area: 'Group',
  scope: 'token',
  summary: 'Add groups to a community, or remove them',
  schema: 'community/edit-groups.json',
  errors: groupErrors,
  async handle({ instance, body: { community, action, groupjids } }, { ports }): Promise<EditCommunityReply> {
    const isLinked = action === 'add'
    const { done, failed } = await ports.router.ask(instance.id, {
      type: 'editCommunity',
      community: groupJid(community, 'community'),
      isLinked,
      groups: groupjids.map((jid) => groupJid(jid, 'groupjids')),
    })
    return {
      message: `${done.length} of ${groupjids.length} groups ${isLinked ? 'added' : 'removed'}`,
      success: [...done],
      failed: failed.map(({ jid, code }) => ({ JID: jid, Error: code })),
    }
  },
})
