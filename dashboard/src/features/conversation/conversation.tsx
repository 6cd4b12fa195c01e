import { useCallback, useEffect, useState } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { Notice } from '../../components/notice.js'
import type { OutgoingSend } from '../../hooks/outbox.js'
import { onlyChat } from '../../hooks/rights.js'
import { useChat, useWatchedPresence } from '../../hooks/use-conversation.js'
import { maySend } from '../../hooks/use-instance.js'
import { useMessages } from '../../hooks/use-messages.js'
import { useOutbox } from '../../hooks/use-outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useWords } from '../../words/index.js'
import { ChatHead } from './chat-head.js'
import { ChatSearch } from './chat-search.js'
import styles from './conversation.module.css'
import { MessageBox } from './message-box.js'
import { type MenuPlace, MessageMenu } from './message-menu.js'
import { MessageView } from './message-view.js'
import { MoreKinds } from './more-kinds.js'
import { Person } from './person.js'
import type { ConversationSearch } from './search.js'

interface ConversationProps {
  readonly chatId: string
  /** The record of the chat, if the list of chats has it. */
  readonly known: Chat | undefined
  readonly search: ConversationSearch
  readonly onSearch: (change: Partial<Record<keyof ConversationSearch, unknown>>, replace: boolean) => void
}

/** One chat: its messages, the box to answer, and what is known of the person. */
export function Conversation({ chatId, known, search, onSearch }: ConversationProps) {
  const words = useWords()
  const said = useConversationWords()
  const { chat, error } = useChat(chatId, known)
  const { state, list, isSeen } = useMessages(chatId, search.message)
  const { sends, send } = useOutbox(chatId, (message) => {
    // A scheduled message is none of the chat yet.
    if (message.status !== 'scheduled') list?.takeArrived([message], true)
  })
  const [isSearching, setSearching] = useState(search.text !== undefined)
  const [isPersonOpen, setPersonOpen] = useState(() => matchMedia('(min-width: 1400px)').matches)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  useWatchedPresence(chatId, chat?.wa_isGroup ?? chatId.endsWith('@g.us'))
  useReadingOnFocus(() => void list?.catchUp())
  const onTarget = useCallback(
    (message: string | undefined) => onSearch({ message }, message === undefined),
    [onSearch],
  )
  const onActions = useCallback((message: Message, button: HTMLElement) => setMenu({ message, button }), [])
  const isWriting = maySend()
  const [replyTo, setReplyTo, reply] = useReply(isWriting)
  return (
    <>
      <section className={styles.conversation} aria-label={said.messages}>
        <ChatHead
          chatId={chatId}
          chat={chat}
          isSearching={isSearching}
          isPersonOpen={isPersonOpen}
          onSearch={() => {
            setSearching(!isSearching)
            if (isSearching) onSearch({ text: undefined }, true)
          }}
          onPerson={() => setPersonOpen(!isPersonOpen)}
          onBack={() => onSearch({ chat: undefined, message: undefined, text: undefined }, false)}
          onRefresh={() => void list?.catchUp()}
        />
        {error === null ? null : <Failure error={error} />}
        {isSearching ? (
          <ChatSearch
            chatId={chatId}
            text={search.text ?? ''}
            onText={(text) => onSearch({ text: text || undefined }, true)}
            onFound={({ id }) => onSearch({ message: id }, false)}
          />
        ) : null}
        {list === undefined || state === undefined ? (
          <p role="status">{words.loading}</p>
        ) : (
          <MessageView
            list={list}
            state={state}
            sends={sends}
            isSeen={isSeen}
            unread={chat?.wa_unreadCount ?? 0}
            target={search.message}
            onTarget={onTarget}
            onActions={onActions}
            onReply={reply}
          />
        )}
        <MessageMenu place={menu} onClose={() => setMenu(null)} onReply={reply} />
        {isWriting ? (
          <Writing
            chatId={chatId}
            chat={chat}
            replyTo={replyTo}
            onReplied={() => setReplyTo(null)}
            sends={sends}
            onSend={send}
          />
        ) : (
          <Notice>{said.onlyReads}</Notice>
        )}
      </section>
      {isPersonOpen && chat !== undefined ? <Person chat={chat} onClose={() => setPersonOpen(false)} /> : null}
    </>
  )
}

interface WritingProps
  extends Pick<Parameters<typeof MoreKinds>[0], 'chatId' | 'chat' | 'replyTo' | 'onReplied' | 'onSend'> {
  readonly sends: readonly OutgoingSend[]
}

function Writing({ sends, ...rest }: WritingProps) {
  const [composer, setComposer] = useState<'new' | OutgoingSend | null>(null)
  const { chat: _, ...box } = rest
  return (
    <div data-composer="">
      <MessageBox
        {...box}
        failed={sends.filter((one) => one.state === 'failed')}
        onMend={setComposer}
        more={<MoreKinds {...rest} open={composer} onOpen={setComposer} />}
      />
    </div>
  )
}

/** Keeps the message that is answered, and puts the cursor into the box when one is chosen. */
function useReply(isWriting: boolean) {
  const [replyTo, setReplyTo] = useState<Message | null>(null)
  const reply = useCallback(
    (message: Message) => {
      if (!isWriting) return
      setReplyTo(message)
      document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
    },
    [isWriting],
  )
  return [replyTo, setReplyTo, reply] as const
}

/** A key for one chat gets no stream: it reads again when the person looks at the page again. */
function useReadingOnFocus(read: () => void): void {
  useEffect(() => {
    if (onlyChat() === null) return undefined
    addEventListener('focus', read)
    return () => removeEventListener('focus', read)
  })
}
