import { useVirtualizer } from '@tanstack/react-virtual'
import { MessagesSquare } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { RowGuard } from '../../components/row-guard.js'
import { useNarrow } from '../../components/use-narrow.js'
import { isShort, SHORT_SEARCH_CHATS } from '../../hooks/chat-filter.js'
import { type ChatSigns, useChatSigns } from '../../hooks/use-chat-signs.js'
import type { useChats } from '../../hooks/use-chats.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useWords } from '../../words/index.js'
import { type ChangeSearch, ChatFilters, NO_FILTERS } from './chat-filters.js'
import styles from './chat-list.module.css'
import { ChatRow, makeRowId } from './chat-row.js'
import { FoundMessages } from './found-messages.js'
import { type ConversationSearch, flags } from './search.js'

const ROW_PX = 72
const AHEAD = 30

interface ChatColumnProps {
  readonly search: ConversationSearch
  readonly onSearch: ChangeSearch
  readonly chats: ReturnType<typeof useChats>
  /** Called when a person chooses a chat of the list. */
  readonly onChosen: () => void
}

/** The chats by newest, with their filters. */
export function ChatColumn({ search, onSearch, chats: { state, list }, onChosen }: ChatColumnProps) {
  const words = useWords()
  const said = useConversationWords()
  const isNarrow = useNarrow()
  return (
    <section className={styles.chats} aria-label={said.chats}>
      {/* On a phone the list is a page of its own. */}
      {isNarrow && search.chat === undefined ? <h1 className="sr-only">{said.chats}</h1> : null}
      <ChatFilters search={search} onSearch={onSearch} />
      {state?.error == null ? null : <Failure error={state.error} onRetry={() => void list?.refresh()} />}
      {state === undefined || (state.isLoading && state.total === null) ? (
        <p role="status" className={styles.loading}>
          {words.loading}
        </p>
      ) : null}
      {state !== undefined && state.total !== null && state.chats.length === 0 ? (
        <NoChats search={search} onSearch={onSearch} />
      ) : null}
      {state === undefined || state.chats.length === 0 ? null : (
        <ChatRows
          chats={state.chats}
          chosen={search.chat}
          onChoose={(chat) => {
            onSearch({ chat, message: undefined, text: undefined }, false)
            onChosen()
          }}
          onEnd={() => {
            if (state.error === null) void list?.loadMore()
          }}
        />
      )}
      {search.search !== undefined && isShort(search.search) && (state?.all ?? 0) > SHORT_SEARCH_CHATS ? (
        <p className={styles.loading}>{said.shortSearch(SHORT_SEARCH_CHATS)}</p>
      ) : null}
      {search.search === undefined || search.search.length < 2 ? null : (
        <FoundMessages
          text={search.search}
          getName={(id) => state?.chats.find((chat) => chat.wa_chatid === id)}
          onFound={({ chatid, id }) => onSearch({ chat: chatid, message: id, text: undefined }, false)}
        />
      )}
    </section>
  )
}

function NoChats({ search, onSearch }: Pick<ChatColumnProps, 'search' | 'onSearch'>) {
  const said = useConversationWords()
  const isFiltered =
    flags.some((flag) => search[flag]) ||
    search.search !== undefined ||
    search.label !== undefined ||
    search.attendant !== undefined
  return (
    <div className={styles.none}>
      <MessagesSquare size={40} aria-hidden="true" />
      {isFiltered ? (
        <>
          <p>{said.noMatch}</p>
          <Button onClick={() => onSearch(NO_FILTERS, false)}>{said.clear}</Button>
        </>
      ) : (
        <>
          <h2>{said.noChats}</h2>
          <p>{said.noChatsHelp}</p>
        </>
      )}
    </div>
  )
}

interface ChatRowsProps {
  readonly chats: readonly Chat[]
  readonly chosen: string | undefined
  readonly onChoose: (chatId: string) => void
  readonly onEnd: () => void
}

/** Arrows and j/k move through the chats, Enter opens one. The focus stays on the list, so that it is not lost when rows leave it. */
function ChatRows({ chats, chosen, onChoose, onEnd }: ChatRowsProps) {
  const said = useConversationWords()
  const signs = useChatSigns()
  const place = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | undefined>(chosen)
  const [seen, setSeen] = useState(chosen)
  // A chat that is chosen elsewhere, such as by a shortcut, is the active row too.
  if (seen !== chosen) {
    setSeen(chosen)
    if (chosen !== undefined) setActive(chosen)
  }
  // The virtualizer computes the place of each row again when this function changes.
  const getKey = useCallback((index: number) => chats[index]?.wa_chatid ?? index, [chats])
  const virtualizer = useVirtualizer({
    count: chats.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: getKey,
    overscan: 6,
  })
  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? -1
  const latest = useRef({ onEnd, onChoose })
  useEffect(() => {
    latest.current = { onEnd, onChoose }
  })
  const choose = useCallback((chatId: string) => {
    setActive(chatId)
    latest.current.onChoose(chatId)
  }, [])
  useEffect(() => {
    if (lastIndex >= chats.length - AHEAD) latest.current.onEnd()
  }, [lastIndex, chats.length])
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const now = chats.findIndex((chat) => chat.wa_chatid === active)
    const next = { ArrowUp: now - 1, k: now - 1, ArrowDown: now + 1, j: now + 1, Home: 0, End: chats.length - 1 }[
      event.key
    ]
    if (next !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(chats.length - 1, next))
      setActive(chats[index]?.wa_chatid)
      virtualizer.scrollToIndex(index)
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== undefined) {
      event.preventDefault()
      choose(active)
    }
  }
  const isDrawn = items.some(({ key }) => key === active)
  return (
    <div
      ref={place}
      className={styles.rows}
      role="listbox"
      tabIndex={0}
      aria-label={said.chats}
      aria-activedescendant={isDrawn && active !== undefined ? makeRowId(active) : undefined}
      data-chats=""
      onKeyDown={move}
    >
      <div className={styles.sizer} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const chat = chats[index]
          return chat === undefined ? null : (
            <RowGuard key={key} instead={<BrokenRow start={start} />}>
              <ChatRow
                chat={chat}
                start={start}
                place={index + 1}
                count={chats.length}
                isChosen={chat.wa_chatid === chosen}
                isActive={chat.wa_chatid === active}
                doing={findDoing(signs, chat)}
                last={signs.last.get(chat.wa_chatid)}
                onChoose={choose}
              />
            </RowGuard>
          )
        })}
      </div>
    </div>
  )
}

function findDoing({ doing }: ChatSigns, { wa_chatid: id, wa_chatlid: lid = '' }: Chat) {
  return doing.get(id) ?? (lid === '' ? undefined : doing.get(lid))
}

function BrokenRow({ start }: { readonly start: number }) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus; this row does nothing.
    <div
      role="option"
      aria-selected={false}
      aria-disabled={true}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {words.brokenRow}
    </div>
  )
}
