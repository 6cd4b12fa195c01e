import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { makeLate } from '../../components/late.js'
import { Notice } from '../../components/notice.js'
import { useInboxSettings } from '../../hooks/inbox-settings.js'
import { findOnlyChat } from '../../hooks/rights.js'
import { useChangeChat, useChat, useWatchedPresence } from '../../hooks/use-conversation.js'
import { useReadOnOpen } from '../../hooks/use-inbox.js'
import { maySend } from '../../hooks/use-instance.js'
import { useMessages } from '../../hooks/use-messages.js'
import { useOutbox } from '../../hooks/use-outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useWords } from '../../words/index.js'
import { ChatHead } from './chat-head.js'
import styles from './conversation.module.css'
import { findMessageBox } from './message-entries.js'
import type { MenuPlace } from './message-menu.js'
import { MessageView } from './message-view.js'
import type { ConversationSearch } from './search.js'
import { useSelection } from './selection.js'
import type { WritingProps } from './writing.js'

const PinnedBar = makeLate(async () => (await import('./pinned-bar.js')).PinnedBar)
const ChatSearch = makeLate(async () => (await import('./chat-search.js')).ChatSearch)
const Person = makeLate(async () => (await import('./person.js')).Person)
const SelectionBar = makeLate(async () => (await import('./selection-bar.js')).SelectionBar)
/** The page of a chat is first drawn without what one writes with, so that its messages come sooner. */
const Writing = makeLate(async () => (await import('./writing.js')).Writing, { isAhead: true })
const MessageMenu = makeLate(async () => (await import('./message-menu.js')).MessageMenu, { isAhead: true })
const Viewer = makeLate(async () => (await import('./viewer.js')).Viewer)
const ForwardDialog = makeLate(async () => (await import('./forward-dialog.js')).ForwardDialog)

interface ConversationProps {
  readonly chatId: string
  /** The record of the chat, if the list of chats has it. */
  readonly known: Chat | undefined
  readonly search: ConversationSearch
  readonly onSearch: (change: Partial<Record<keyof ConversationSearch, unknown>>, replace: boolean) => void
  /** True: the box takes the focus when the chat opens. */
  readonly takesFocus?: boolean
}

/** One chat: its messages, the box to answer, and what is known of the person. */
export function Conversation({ chatId, known, search, onSearch, takesFocus = false }: ConversationProps) {
  const words = useWords()
  const said = useConversationWords()
  const { chat, error } = useChat(chatId, known)
  const { state, list, isSeen } = useMessages(chatId, search.message)
  const read = useMarkRead(chatId)
  const { sends, send } = useOutbox(chatId, (message) => {
    // A scheduled message is none of the chat yet.
    if (message.status !== 'scheduled') list?.takeArrived([message], true)
    // Who answers has read.
    if ((chat?.wa_unreadCount ?? 0) !== 0) read()
  })
  const isWriting = maySend()
  const { readOnOpen } = useInboxSettings()
  const isShown = state !== undefined && state.version > 0 && state.isAtEnd
  useReadOnOpen(isWriting && readOnOpen && isShown, chat?.wa_unreadCount ?? 0, read)
  const [isSearching, setSearching] = useState(search.text !== undefined)
  const [isPersonOpen, setPersonOpen] = useState(() => matchMedia('(min-width: 1600px)').matches)
  useWatchedPresence(chatId, chat?.wa_isGroup ?? chatId.endsWith('@g.us'))
  useReadingOnFocus(() => void list?.catchUp())
  const onTarget = useCallback(
    (message: string | undefined) => onSearch({ message }, message === undefined),
    [onSearch],
  )
  const [replyTo, setReplyTo, reply] = useReply(isWriting)
  const items = state?.items ?? NO_MESSAGES
  const { selected, select, clear, chosen } = useSelection(items)
  const { onActions, onOpen, popups } = usePopups(items, reply, select)
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
        {state === undefined ? null : <PinnedBar chatId={chatId} onChoose={(id) => onSearch({ message: id }, false)} />}
        {isSearching ? (
          <ChatSearch
            chatId={chatId}
            text={search.text ?? ''}
            onText={(text) => onSearch({ text: text || undefined }, true)}
            onFound={({ id }) => onSearch({ message: id }, false)}
          />
        ) : null}
        {list === undefined || state === undefined ? (
          <p role="status" className={styles.empty}>
            {words.loading}
          </p>
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
            selected={selected}
            onSelect={select}
            onOpen={onOpen}
          />
        )}
        {popups}
        <Bottom
          selected={selected === null ? null : chosen}
          onDone={clear}
          chatId={chatId}
          chat={chat}
          messages={items}
          replyTo={replyTo}
          onReplied={() => setReplyTo(null)}
          sends={sends}
          onSend={send}
          takesFocus={takesFocus}
        />
      </section>
      {isPersonOpen && chat !== undefined ? (
        <Person chat={chat} onOpen={onOpen} onClose={() => setPersonOpen(false)} />
      ) : null}
    </>
  )
}

interface BottomProps extends WritingProps {
  /** The selected messages; null while nothing is selected. */
  readonly selected: readonly Message[] | null
  readonly onDone: () => void
}

/** The box; in its place what can be done with selected messages, or why nothing can be written. */
function Bottom({ selected, onDone, ...writing }: BottomProps) {
  const said = useConversationWords()
  if (selected !== null) return <SelectionBar messages={selected} onDone={onDone} />
  if (maySend()) return <Writing {...writing} />
  return (
    <div className={styles.onlyReads}>
      <Notice>{said.onlyReads}</Notice>
    </div>
  )
}

const NO_MESSAGES: readonly Message[] = []

/** Returns the function that marks a chat as read, once at a time. */
function useMarkRead(chatId: string): () => void {
  const { mutate, isPending } = useChangeChat(chatId)
  return useCallback(() => {
    if (!isPending) mutate({ kind: 'read', on: true })
  }, [mutate, isPending])
}

/** What stands over the messages: the menu of one, the viewer of pictures, and the question to whom one is forwarded. */
function usePopups(items: readonly Message[], reply: (message: Message) => void, select: (message: Message) => void) {
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const [viewed, setViewed] = useState<Message | null>(null)
  const [forwarded, setForwarded] = useState<Message | null>(null)
  const pictures = useMemo(() => {
    if (viewed === null) return NO_MESSAGES
    const found = items.filter(isViewed)
    // One of the gallery may be older than the messages that are loaded.
    return found.some(({ id }) => id === viewed.id) ? found : [viewed, ...found]
  }, [items, viewed])
  const onActions = useCallback((message: Message, button: HTMLElement) => setMenu({ message, button }), [])
  const popups = (
    <>
      <MessageMenu
        place={menu}
        onClose={() => setMenu(null)}
        onReply={reply}
        onForward={setForwarded}
        onSelect={select}
      />
      {viewed === null ? null : (
        <Viewer
          messages={pictures}
          shown={viewed.id}
          onShow={(id) => setViewed(pictures.find((one) => one.id === id) ?? null)}
          onClose={() => setViewed(null)}
        />
      )}
      {forwarded === null ? null : <ForwardDialog messages={[forwarded]} onClose={() => setForwarded(null)} />}
    </>
  )
  return { onActions, onOpen: setViewed, popups }
}

function isViewed({ messageType, mediaType, status }: Message): boolean {
  const isKind = messageType === 'image' || (messageType === 'video' && mediaType !== 'ptv' && mediaType !== 'gif')
  return isKind && status !== 'deleted'
}

/** Keeps the message that is answered, and puts the cursor into the box when one is chosen. */
function useReply(isWriting: boolean) {
  const [replyTo, setReplyTo] = useState<Message | null>(null)
  const reply = useCallback(
    (message: Message) => {
      if (!isWriting) return
      setReplyTo(message)
      findMessageBox()?.focus()
    },
    [isWriting],
  )
  return [replyTo, setReplyTo, reply] as const
}

/** A key for one chat gets no stream: it reads again when the person looks at the page again. */
function useReadingOnFocus(read: () => void): void {
  useEffect(() => {
    if (findOnlyChat() === null) return undefined
    addEventListener('focus', read)
    return () => removeEventListener('focus', read)
  })
}
