import type { ListQuickRepliesReply } from '../../../schemas/generated.js'
import { instanceRoute, type Route } from '../../route.js'
import { editQuickReply } from './edit.js'
import { quickReplyRecord } from './record.js'

const listQuickReplies = instanceRoute({
  method: 'GET',
  path: '/quickreply/showall',
  isSearch: true,
  name: 'listQuickReplies',
  area: 'Quick reply',
  scope: 'read',
  summary: 'List the quick replies, stored here and on the phone',
  schema: 'quickreply/show-all.json',
  errors: [],
  async handle({ instance }, { ports }): Promise<ListQuickRepliesReply> {
    return (await ports.quickReplies.list(instance.id)).map((row) => quickReplyRecord(row, instance.owner))
  },
})

/** Routes of the area, in the order of the documentation. */
export const quickreplyRoutes: readonly Route[] = [listQuickReplies, editQuickReply]
