import { parseChatFilter, parseChatSort } from '../../../schemas/chat-filter.js'
import type { Chat, FindChatsReply, FindChatsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { makePagination, readPaging } from '../pages.js'

const PAGE_SIZE = 20

export const findChats = instanceRoute<FindChatsRequest>({
  method: 'POST',
  path: '/chat/find',
  isSearch: true,
  name: 'findChats',
  area: 'Chat',
  scope: 'read',
  summary: 'Search the chats by any of their fields',
  schema: 'chat/find.json',
  errors: [],
  async handle({ instance, body }, { ports }): Promise<FindChatsReply> {
    const { operator = 'AND', sort = '-wa_lastMsgTimestamp', limit, offset, page, pageSize, newest, ...fields } = body
    const filters = Object.entries(fields).map(([field, value]) =>
      parseChatFilter(field, value, instance.defaultCountry),
    )
    const asked = readPaging({ limit, offset, page, pageSize }, PAGE_SIZE)
    const { chats, total, stats } = await ports.chats.find(instance, {
      filters,
      operator,
      sort: parseChatSort(sort),
      newest,
      ...asked,
    })
    return {
      chats: chats as unknown as Chat[],
      totalChatsStats: stats as FindChatsReply['totalChatsStats'],
      pagination: makePagination(total, asked),
    }
  },
})
