/** Pages of a search over leads. Each begins at a value of the last chat before it, since a number of rows slips while chats move. */
import type { FindChatsReply, FindChatsRequest } from '../../../schemas/generated.js'

export const LEADS_PAGE = 1_000
export type LeadPlace = Pick<FindChatsRequest, 'limit' | 'offset' | 'wa_lastMsgTimestamp'>

export const firstLeads: LeadPlace = { limit: LEADS_PAGE }

/** Returns where the page after these begins: at the time of the last chat, after the chats of that time that are known. */
export function findNextLeads(pages: readonly FindChatsReply[]): LeadPlace | undefined {
  const last = pages.at(-1)
  const oldest = last?.chats.at(-1)
  if (last === undefined || oldest === undefined || !last.pagination.hasNextPage) return undefined
  const at = oldest.wa_lastMsgTimestamp ?? 0
  const known = new Set(
    pages.flatMap(({ chats }) =>
      chats.filter((one) => (one.wa_lastMsgTimestamp ?? 0) === at).map((one) => one.wa_chatid),
    ),
  )
  return { limit: LEADS_PAGE, wa_lastMsgTimestamp: `<=${at}`, offset: known.size }
}

/** Returns the filter of the page after this one, in the order of ids. */
export function makeIdCursor({ chats, pagination }: FindChatsReply): { readonly id: string } | undefined {
  const last = chats.at(-1)?.id
  return last === undefined || !pagination.hasNextPage ? undefined : { id: `>${last}` }
}
