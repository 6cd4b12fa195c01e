import { Link } from '@tanstack/react-router'
import type { Chat } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { describeLead } from '../lead/lead-fields.js'
import type { LeadSearch } from './search.js'

/** Leads to the conversation with a person. */
export function ChatLink({ id, chat }: { readonly id: string; readonly chat: Chat }) {
  return (
    <Link to="/instances/$id/chats" params={{ id }} search={{ chat: chat.wa_chatid }}>
      <bdi>{showUnseen(describeLead(chat))}</bdi>
    </Link>
  )
}

/** Opens the conversation with a person beside the board. */
export function BesideLink({ chat }: { readonly chat: Chat }) {
  return (
    <Link
      from="/instances/$id/leads"
      to="."
      search={(before: LeadSearch): LeadSearch => {
        const { message: _message, text: _text, ...rest } = before
        return { ...rest, chat: chat.wa_chatid }
      }}
    >
      <bdi>{showUnseen(describeLead(chat))}</bdi>
    </Link>
  )
}
