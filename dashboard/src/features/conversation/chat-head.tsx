import { useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { shownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Failure } from '../../components/failure.js'
import { MenuButton, type MenuEntry } from '../../components/menu.js'
import { useNarrow } from '../../components/use-narrow.js'
import { mayManageChats, onlyChat } from '../../hooks/rights.js'
import { type ChatChange, useChangeChat } from '../../hooks/use-conversation.js'
import { maySend } from '../../hooks/use-instance.js'
import { useTyping } from '../../hooks/use-typing.js'
import type { ConversationWords } from '../../words/conversation/en.js'
import { useConversationWords } from '../../words/conversation/index.js'
import styles from './conversation.module.css'
import { chatName, numberOf } from './names.js'

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

/** Name of the chat, what its people do, and the actions on it. */
export function ChatHead(props: ChatHeadProps) {
  const said = useConversationWords()
  const { chatId, chat, isSearching, isPersonOpen, onSearch, onPerson, onBack, onRefresh } = props
  const activity = useTyping(chatId, chat?.wa_chatlid)
  const change = useChangeChat(chatId)
  const doing = { composing: said.typing, recording: said.recording, available: said.online }
  const unread = chat?.wa_unreadCount ?? 0
  const isNarrow = useNarrow()
  const search = { text: isSearching ? said.closeSearch : said.searchIn, onChoose: onSearch }
  const refresh = onlyChat() === null ? null : { text: said.refresh, onChoose: onRefresh }
  /** Buttons that stand in the menu in a narrow window. */
  const hidden = [search, { text: said.person, onChoose: onPerson }, ...(refresh === null ? [] : [refresh])]
  return (
    <>
      <div className={styles.head}>
        {onlyChat() === null ? (
          <span className={styles.onlyNarrow}>
            <Button onClick={onBack}>
              ←<span className={styles.hidden}> {said.chatList}</span>
            </Button>
          </span>
        ) : null}
        <div className={styles.title}>
          <h1>
            <bdi>{chat === undefined ? numberOf(chatId) : chatName(chat)}</bdi>
          </h1>
          <p className={styles.activity} role="status">
            {activity === null ? '' : doing[activity]}
          </p>
        </div>
        {isNarrow ? null : (
          <>
            {unread !== 0 && maySend() ? (
              <Button isBusy={change.isPending} onClick={() => change.mutate({ kind: 'read', on: true })}>
                {said.chatRead}
              </Button>
            ) : null}
            {refresh === null ? null : <Button onClick={refresh.onChoose}>{refresh.text}</Button>}
            <Button aria-pressed={isSearching} onClick={onSearch}>
              {search.text}
            </Button>
          </>
        )}
        {isNarrow || (chat !== undefined && (maySend() || mayManageChats())) ? (
          <ChatMenu chat={chat} change={change} first={isNarrow ? hidden : []} />
        ) : null}
        {isNarrow ? null : (
          <Button aria-expanded={isPersonOpen} onClick={onPerson}>
            {said.person}
          </Button>
        )}
      </div>
      {change.error === null ? null : <Failure error={change.error} />}
    </>
  )
}

interface ChatMenuProps {
  readonly chat: Chat | undefined
  readonly change: ReturnType<typeof useChangeChat>
  /** Entries before those that change the chat. */
  readonly first: readonly MenuEntry[]
}

function ChatMenu({ chat, change, first }: ChatMenuProps) {
  const said = useConversationWords()
  const [isBlocking, setBlocking] = useState(false)
  return (
    <>
      <MenuButton
        text={said.actions}
        entries={[...first, ...(chat === undefined ? [] : changesOf(chat, change, said, () => setBlocking(true)))]}
      />
      {chat === undefined ? null : (
        <Confirm
          isOpen={isBlocking}
          onClose={() => setBlocking(false)}
          title={said.blockTitle(chatName(chat))}
          action={said.block}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ kind: 'block', on: true }, { onSuccess: () => setBlocking(false) })}
          call={shownCall('blockPerson', { body: { number: chat.wa_chatid, block: true } })}
        >
          <p>{said.blockHelp}</p>
        </Confirm>
      )}
    </>
  )
}

/** Returns the entries that change a chat, as far as the signed-in person may. */
function changesOf(
  chat: Chat,
  change: ChatMenuProps['change'],
  said: ConversationWords,
  onBlock: () => void,
): readonly MenuEntry[] {
  const { wa_isPinned: isPinned, wa_archived: isArchived, wa_isBlocked: isBlocked, wa_isGroup: isGroup } = chat
  const isMuted = (chat.wa_muteEndTime ?? 0) !== 0
  const entry = (text: string, what: ChatChange): MenuEntry => ({ text, onChoose: () => change.mutate(what) })
  return [
    ...(maySend()
      ? [entry(said.chatRead, { kind: 'read', on: true }), entry(said.chatUnread, { kind: 'read', on: false })]
      : []),
    ...(mayManageChats()
      ? [
          entry(isPinned ? said.unpin : said.pin, { kind: 'pin', on: !isPinned }),
          entry(isArchived ? said.unarchive : said.archive, { kind: 'archive', on: !isArchived }),
          ...(isMuted
            ? [entry(said.unmute, { kind: 'mute', hours: 0 })]
            : [
                entry(said.mute8, { kind: 'mute', hours: 8 }),
                entry(said.muteWeek, { kind: 'mute', hours: 168 }),
                entry(said.muteAlways, { kind: 'mute', hours: -1 }),
              ]),
        ]
      : []),
    ...(mayManageChats() && isGroup !== true
      ? [
          isBlocked === true
            ? entry(said.unblock, { kind: 'block', on: false })
            : { text: said.block, onChoose: onBlock },
        ]
      : []),
  ]
}
