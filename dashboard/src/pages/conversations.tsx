import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { Failure } from '../components/failure.js'
import { Calls } from '../features/conversation/calls.js'
import { ChatColumn } from '../features/conversation/chat-column.js'
import { Conversation } from '../features/conversation/conversation.js'
import styles from '../features/conversation/conversation.module.css'
import { chatName } from '../features/conversation/names.js'
import type { ConversationSearch } from '../features/conversation/search.js'
import { onlyChat } from '../hooks/rights.js'
import { useChats } from '../hooks/use-chats.js'
import { MediaContext, MediaStore } from '../hooks/use-media.js'
import { useNewestFailed } from '../hooks/use-newest-failed.js'
import { useConversationWords } from '../words/conversation/index.js'

type Change = Partial<Record<keyof ConversationSearch, unknown>>

/** The chats of an instance, the messages of the chosen one, and its person. */
export function Conversations() {
  const search = useSearch({ from: '/instances/$id/chats' })
  const { id } = useParams({ from: '/instances/$id/chats' })
  const navigate = useNavigate()
  const [store] = useState(() => new MediaStore())
  useEffect(() => () => store.end(), [store])
  const onSearch = useCallback(
    (change: Change, replace: boolean) =>
      void navigate({
        to: '/instances/$id/chats',
        params: { id },
        search: (before: ConversationSearch) => ({ ...before, ...change }) as ConversationSearch,
        replace,
      }),
    [navigate, id],
  )
  const only = onlyChat()
  return (
    <MediaContext value={store}>
      {only === null ? (
        <AllChats search={search} onSearch={onSearch} />
      ) : (
        <div className={styles.page} data-wide="" data-chosen="">
          <Conversation key={only} chatId={only} known={undefined} search={search} onSearch={onSearch} />
        </div>
      )}
    </MediaContext>
  )
}

interface AllChatsProps {
  readonly search: ConversationSearch
  readonly onSearch: (change: Change, replace: boolean) => void
}

function AllChats({ search, onSearch }: AllChatsProps) {
  const said = useConversationWords()
  const chats = useChats(search)
  const { chat: chosen } = search
  const failed = useNewestFailed(search.failed === true)
  useEffect(() => {
    if (search.failed !== true || failed.data === undefined) return
    const { chatid: chat, id: message } = failed.data ?? {}
    onSearch({ failed: undefined, chat, message }, true)
  }, [search.failed, failed.data, onSearch])
  const known = (id: string) => chats.state?.chats.find((chat) => chat.wa_chatid === id)
  return (
    <>
      {failed.error === null ? null : <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      <Calls
        nameOf={(id) => {
          const chat = known(id)
          return chat === undefined ? undefined : chatName(chat)
        }}
        onChat={(chat) => onSearch({ chat, message: undefined, text: undefined }, false)}
      />
      <div className={styles.page} data-wide="" data-chosen={chosen === undefined ? undefined : ''}>
        <ChatColumn search={search} onSearch={onSearch} chats={chats} />
        {chosen === undefined ? (
          <section className={styles.conversation}>
            <h1 className={styles.choose}>{said.chooseChat}</h1>
          </section>
        ) : (
          <Conversation key={chosen} chatId={chosen} known={known(chosen)} search={search} onSearch={onSearch} />
        )}
      </div>
    </>
  )
}
