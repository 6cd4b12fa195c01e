import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { answerWhenStored, exampleGroup, mapRefusal, requireAdmin, writeGroupChat } from '../groups/group-chat.js'
import { operation } from '../operation.js'

interface EditCommunityFields {
  readonly community: Jid
  readonly isLinked: boolean
  readonly groups: readonly Jid[]
}

/** Errors about one group, which leave the other groups untouched. */
const ABOUT_ONE_GROUP: ReadonlySet<ErrorCode> = new Set(['GROUP_NOT_FOUND', 'NOT_GROUP_ADMIN', 'GROUP_REFUSED'])

/**
 * Links groups to a community, or unlinks them, one after the other. A group that was changed stays changed when a later one fails.
 * `failed` has the error code of each group that was not changed.
 */
const editCommunity = operation('editCommunity', {
  // A group that was linked the first time is refused the second time.
  repeat: false,
  example: { done: [], failed: [] },
  async run(context: InstanceContext, { community, isLinked, groups: named }: EditCommunityFields) {
    const { groups } = await context.connection()
    const parent = requireAdmin(context, await orUnknown(() => groups.get(community)))
    if (!parent.isParent) throw new GatewayError('GROUP_NOT_FOUND', { message: 'There is no such community.' })
    const done: Jid[] = []
    const failed: { jid: Jid; code: string }[] = []
    for (const jid of named) {
      try {
        requireAdmin(context, await orUnknown(() => groups.get(jid)))
        await orUnknown(() => groups.link(community, jid, isLinked)).catch(mapRefusal([401, 403], 'NOT_GROUP_ADMIN'))
        await orUnknown(() => groups.fetch(jid))
        done.push(jid)
      } catch (error) {
        if (!(error instanceof GatewayError) || !ABOUT_ONE_GROUP.has(error.code)) throw error
        failed.push({ jid, code: error.code })
      }
    }
    return await answerWhenStored(context, { done, failed })
  },
})

/** Creates a community. The network makes its announcement group with it. */
const createCommunity = operation('createCommunity', {
  repeat: false,
  example: exampleGroup,
  async run(context: InstanceContext, { name }: { readonly name: string }) {
    const { groups } = await context.connection()
    const community = await orUnknown(() => groups.createCommunity(name))
    await writeGroupChat(context, community)
    return community
  },
})

export const communityOperations = [createCommunity, editCommunity] as const
