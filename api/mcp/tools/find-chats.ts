import type {
  FindChatsReply,
  FindChatsRequest,
  McpFindChatsReply,
  McpFindChatsRequest,
} from '../../../schemas/generated.js'
import { findChats as route } from '../../routes/chat/find.js'
import { defineTool } from '../tool.js'
import { chatView } from '../views.js'

// Bound: 1,000, the query of a tool.

const LIMIT = 20
/** A number as people write it, of which the digits count. */
const NUMBER = /^\+?[\d\s().-]{4,}$/

export const findChats = defineTool<McpFindChatsRequest, McpFindChatsReply>({
  name: 'find_chats',
  title: 'Find chats',
  schema: 'mcp/find-chats.json',
  routes: [route],
  isReadOnly: true,
  async run({ args, ask, warnings }) {
    const { limit = LIMIT, offset = 0 } = args
    const { chats, pagination } = await ask<FindChatsReply>(route, { ...filtersOf(args), limit, offset })
    const next = offset + chats.length
    return {
      chats: chats.map(chatView),
      next_offset: chats.length > 0 && next < pagination.totalRecords ? next : null,
      warnings,
    }
  },
})

function filtersOf({ query = '', kind = 'all', unread_only = false }: McpFindChatsRequest): FindChatsRequest {
  const text = query.trim()
  const isNumber = NUMBER.test(text)
  return {
    ...(isNumber ? { wa_chatid: `~${text.replace(/\D/g, '')}` } : {}),
    ...(text === '' || isNumber ? {} : { name: `~${text}` }),
    ...(kind === 'all' ? {} : { wa_isGroup: kind === 'groups' }),
    ...(unread_only ? { wa_unreadCount: '>0' } : {}),
  }
}
