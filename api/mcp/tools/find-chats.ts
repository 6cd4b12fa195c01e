import type {
  FindChatsReply,
  FindChatsRequest,
  McpFindChatsReply,
  McpFindChatsRequest,
} from '../../../schemas/generated.js'
import { searchedDigits } from '../../../schemas/searched-numbers.js'
import { findChats as route } from '../../routes/chat/find.js'
import { defineTool } from '../tool.js'
import { chatView } from '../views.js'

const LIMIT = 20
/** Fewer digits are rather a part of a name. */
const DIGITS_MIN = 4

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
  const isNumber = searchedDigits(text).some((digits) => digits.length >= DIGITS_MIN)
  return {
    ...(isNumber ? { wa_chatid: `~${text}` } : {}),
    ...(text === '' || isNumber ? {} : { name: `~${text}` }),
    ...(kind === 'all' ? {} : { wa_isGroup: kind === 'groups' }),
    ...(unread_only ? { wa_unreadCount: '>0' } : {}),
  }
}
