import { ArrowLeft, CheckCheck, Info, RefreshCw, Search } from 'lucide-react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { makeLate } from '../../components/late.js'
import type { MenuEntry } from '../../components/menu.js'
import { useNarrow } from '../../components/use-narrow.js'
import { showUnseen } from '../../format/visible.js'
import { findOnlyChat, mayManageChats } from '../../hooks/rights.js'
import { useChangeChat } from '../../hooks/use-conversation.js'
import { useGroupPeople } from '../../hooks/use-inbox.js'
import { maySend } from '../../hooks/use-instance.js'
import { useTyping } from '../../hooks/use-typing.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { Avatar } from './avatar.js'
import styles from './conversation.module.css'
import { IconButton } from './icon-button.js'
import { describeChat, formatJid } from './names.js'

interface ChatHeadProps {
  readonly chatId: string
  readonly chat: Chat | undefined
  readonly isSearching: boolean
  readonly isPersonOpen: boolean
  readonly onSearch: () => void
  readonly onPerson: () => void
  readonly onBack: () => void
  readonly onRefresh: () => void
}

const ChatMenu = makeLate(async () => (await import('./chat-menu.js')).ChatMenu, { isAhead: true })

/** Picture and name of the chat, what its people do, and the actions on it. */
export function ChatHead(props: ChatHeadProps) {
  const said = useConversationWords()
  const { chatId, chat, isSearching, isPersonOpen, onSearch, onPerson, onBack, onRefresh } = props
  const change = useChangeChat(chatId)
  const isNarrow = useNarrow()
  const name = chat === undefined ? formatJid(chatId) : describeChat(chat)
  const isOne = findOnlyChat() !== null
  const search = { text: isSearching ? said.closeSearch : said.searchIn, onChoose: onSearch }
  const refresh = isOne ? { text: said.refresh, onChoose: onRefresh } : null
  /** Buttons that stand in the menu in a narrow window. */
  const hidden: readonly MenuEntry[] = [
    isSearching ? search : { ...search, focus: findSearchField },
    { text: said.person, onChoose: onPerson },
    ...(refresh === null ? [] : [refresh]),
  ]
  return (
    <>
      <div className={styles.head}>
        {isOne ? null : (
          <span className={styles.onlyNarrow}>
            <IconButton label={said.chatList} onClick={onBack}>
              <ArrowLeft size={22} aria-hidden="true" />
            </IconButton>
          </span>
        )}
        <div className={styles.who}>
          <Avatar chatId={chatId} name={name} isGroup={chat?.wa_isGroup === true} size={40} hasPicture={!isOne} />
          <div className={styles.title}>
            <h1>
              <bdi>{name}</bdi>
            </h1>
            <Activity chatId={chatId} chat={chat} />
          </div>
        </div>
        {isNarrow ? null : (
          <>
            {(chat?.wa_unreadCount ?? 0) !== 0 && maySend() ? (
              <IconButton label={said.chatRead} onClick={() => change.mutate({ kind: 'read', on: true })}>
                <CheckCheck size={20} aria-hidden="true" />
              </IconButton>
            ) : null}
            {refresh === null ? null : (
              <IconButton label={refresh.text} onClick={refresh.onChoose}>
                <RefreshCw size={20} aria-hidden="true" />
              </IconButton>
            )}
            <IconButton label={search.text} isPressed={isSearching} onClick={onSearch}>
              <Search size={20} aria-hidden="true" />
            </IconButton>
            <IconButton label={said.person} isOpen={isPersonOpen} onClick={onPerson}>
              <Info size={20} aria-hidden="true" />
            </IconButton>
          </>
        )}
        {isNarrow || (chat !== undefined && (maySend() || mayManageChats())) ? (
          <ChatMenu chat={chat} change={change} first={isNarrow ? hidden : []} />
        ) : null}
      </div>
      {change.error === null ? null : <Failure error={change.error} />}
    </>
  )
}

const NO_MESSAGES: readonly Message[] = []

/** What the people of a chat do; else who they are. */
function Activity({ chatId, chat }: Pick<ChatHeadProps, 'chatId' | 'chat'>) {
  const said = useConversationWords()
  const activity = useTyping(chatId, chat?.wa_chatlid)
  const doing = { composing: said.typing, recording: said.recording, available: said.online }
  const inbox = useInboxWords()
  const people = useGroupPeople(chatId, NO_MESSAGES)
  const isGroup = chatId.endsWith('@g.us')
  const phone = isGroup ? '' : showUnseen(chat?.phone ?? '')
  const who = isGroup ? (people.length === 0 ? '' : inbox.members(people.length)) : phone
  return (
    <p className={styles.activity} role="status" data-doing={activity === null ? undefined : ''}>
      {activity !== null ? doing[activity] : chat !== undefined && who !== describeChat(chat) ? who : ''}
    </p>
  )
}

function findSearchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-found] input')
}
