/** How a caller names a chat whose lead is edited. */
import type { Jid } from './ids.js'
import { type ChatAddress, parseAddress } from './jid.js'

// Bound: 1,048,576, a field of a request.

export interface LeadChats {
  /** Digits of the own number, as the short name tells it; null when it tells none. */
  readonly owner: string | null
  /** The short name does not say whether its digits are a number, a LID or a group: each is looked for, in this order. */
  readonly chats: readonly ChatAddress[]
}

/**
 * `wa_chatid`, or `wa_fastid`, which is `<owner>:<digits>`.
 * @throws GatewayError INVALID_NUMBER
 */
export function parseLeadId(id: string): LeadChats {
  const fast = /^(\d{5,15}):([\d-]{5,40})$/.exec(id.trim())
  if (fast === null) return { owner: null, chats: [parseAddress(id, 'id')] }
  const [, owner = '', user = ''] = fast
  return {
    owner,
    chats: [{ pn: `${user}@s.whatsapp.net` as Jid }, { lid: `${user}@lid` as Jid }, { group: `${user}@g.us` as Jid }],
  }
}
