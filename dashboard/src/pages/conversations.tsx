import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { Chat } from '../../../schemas/generated.js'
import { Failure } from '../components/failure.js'
import { makeLate } from '../components/late.js'
import { Calls } from '../features/conversation/calls.js'
import { ChatColumn } from '../features/conversation/chat-column.js'
import type { ChangeSearch } from '../features/conversation/chat-filters.js'
import styles from '../features/conversation/conversation.module.css'
import { focusBox } from '../features/conversation/message-entries.js'
import { describeChat, describeSender } from '../features/conversation/names.js'
import type { ConversationSearch } from '../features/conversation/search.js'
import { useInboxKeys } from '../features/conversation/use-inbox-keys.js'
import { showUnseen } from '../format/visible.js'
import { findOnlyChat } from '../hooks/rights.js'
import { useChats } from '../hooks/use-chats.js'
import { useInboxAlerts } from '../hooks/use-inbox-alerts.js'
import { MediaContext, MediaStore } from '../hooks/use-media.js'
import { useNewestFailed } from '../hooks/use-newest-failed.js'
import { useConversationWords } from '../words/conversation/index.js'
import { useInboxWords } from '../words/inbox.js'

const Conversation = makeLate(async () => (await import('../features/conversation/conversation.js')).Conversation, {
  isAhead: true,
})
// An address that names a chat shows it at once.
if (new URLSearchParams(location.search).has('chat')) Conversation.preload()
const Shortcuts = makeLate(async () => (await import('../features/conversation/shortcuts.js')).Shortcuts)

/** The chats of an instance, the messages of the chosen one, and its person. */
export function Conversations() {
  const search = useSearch({ from: '/instances/$id/chats' })
  const { id } = useParams({ from: '/instances/$id/chats' })
  const navigate = useNavigate()
  const [store] = useState(() => new MediaStore())
  useEffect(() => () => store.end(), [store])
  const onSearch: ChangeSearch = useCallback(
    (change, replace) =>
      void navigate({
        to: '/instances/$id/chats',
        params: { id },
        search: (before: ConversationSearch) => ({ ...before, ...change }) as ConversationSearch,
        replace,
      }),
    [navigate, id],
  )
  const only = findOnlyChat()
  return (
    <MediaContext value={store}>
      {only === null ? (
        <AllChats search={search} onSearch={onSearch} />
      ) : (
        <div className={styles.page} data-full="" data-chosen="">
          <Conversation key={only} chatId={only} known={undefined} search={search} onSearch={onSearch} />
        </div>
      )}
    </MediaContext>
  )
}

interface AllChatsProps {
  readonly search: ConversationSearch
  readonly onSearch: ChangeSearch
}

function AllChats({ search, onSearch }: AllChatsProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const chats = useChats(search)
  const [hasHelp, setHelp] = useState(false)
  const { chat: chosen } = search
  const failed = useNewestFailed(search.failed === true)
  useEffect(() => {
    if (search.failed !== true || failed.data === undefined) return
    const { chatid: chat, id: message } = failed.data ?? {}
    onSearch({ failed: undefined, chat, message }, true)
  }, [search.failed, failed.data, onSearch])
  const all = chats.state?.chats ?? NO_CHATS
  const known = (id: string) => all.find((chat) => chat.wa_chatid === id)
  const open = (chat: string) => onSearch({ chat, message: undefined, text: undefined }, false)
  useInboxKeys({
    onHelp: () => setHelp(true),
    onStep: (step) => {
      const now = all.findIndex((chat) => chat.wa_chatid === chosen)
      const next = all[now < 0 ? 0 : now + step]
      if (next === undefined) return
      open(next.wa_chatid)
    },
  })
  useInboxAlerts({
    chats: all,
    chosen,
    onChat: open,
    describe: (message, chat) => ({
      title: describeChat(chat),
      body: `${message.isGroup ? `${describeSender(message)}: ` : ''}${showUnseen(message.text || said.kinds[message.messageType] || '')}`,
    }),
  })
  return (
    <>
      {failed.error === null ? null : <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      <Calls
        getName={(id) => {
          const chat = known(id)
          return chat === undefined ? undefined : describeChat(chat)
        }}
        onChat={open}
      />
      <div className={styles.page} data-full="" data-inbox="" data-chosen={chosen === undefined ? undefined : ''}>
        <ChatColumn search={search} onSearch={onSearch} chats={chats} onChosen={focusBox} />
        {chosen === undefined ? (
          <section className={styles.conversation}>
            <div className={styles.choose}>
              <MessagesSquare size={56} aria-hidden="true" />
              <h1>{inbox.emptyTitle}</h1>
              <p>{inbox.emptyHelp}</p>
            </div>
          </section>
        ) : (
          <Conversation
            key={chosen}
            chatId={chosen}
            known={known(chosen)}
            search={search}
            onSearch={onSearch}
            takesFocus={search.message === undefined}
          />
        )}
      </div>
      {hasHelp ? <Shortcuts onClose={() => setHelp(false)} /> : null}
    </>
  )
}

const NO_CHATS: readonly Chat[] = []
