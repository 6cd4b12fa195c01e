import type {
  CreateCommunityReply,
  CreateCommunityRequest,
  EditCommunityReply,
  EditCommunityRequest,
} from '../../../schemas/generated.js'
import { instanceRoute, type Route } from '../../route.js'
import { groupErrors, groupJid, makeGroup } from '../group/record.js'

const editCommunityGroups = instanceRoute<EditCommunityRequest>({
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

const createCommunity = instanceRoute<CreateCommunityRequest>({
  method: 'POST',
  path: '/community/create',
  name: 'createCommunity',
  area: 'Group',
  scope: 'token',
  summary: 'Create a community',
  schema: 'community/create.json',
  idempotent: 'kept',
  errors: groupErrors,
  async handle({ instance, body: { name } }, { ports }): Promise<CreateCommunityReply> {
    const community = await ports.router.ask(instance.id, { type: 'createCommunity', name: name.trim() })
    return { group: makeGroup(community, instance.owner), failed: [] }
  },
})

/** Routes of the area, in the order of the documentation. */
export const communityRoutes: readonly Route[] = [createCommunity, editCommunityGroups]
