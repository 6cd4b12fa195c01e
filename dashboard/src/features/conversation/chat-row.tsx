import {
  BellOff,
  Camera,
  ChartBar,
  FileText,
  List,
  MapPin,
  Mic,
  Music,
  Phone,
  Pin,
  Smile,
  Sticker,
  User,
  Video,
} from 'lucide-react'
import { type ComponentType, memo } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { makeDateFormat } from '../../format/formats.js'
import { showUnseen } from '../../format/visible.js'
import type { LastMessage } from '../../hooks/use-chat-signs.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { Avatar } from './avatar.js'
import styles from './chat-list.module.css'
import { describeChat } from './names.js'
import { Ticks } from './ticks.js'

const TEXT_MAX = 120

interface ChatRowProps {
  readonly chat: Chat
  readonly start: number
  readonly place: number
  readonly count: number
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly doing: 'composing' | 'recording' | undefined
  readonly last: LastMessage | undefined
  readonly onChoose: (chatId: string) => void
}

/** One chat of the list. Drawn again only if something of it changes. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { chat, start, place, count, isChosen, isActive, doing, last, onChoose } = props
  const { wa_unreadCount: unread = 0, wa_isPinned: isPinned, wa_isBlocked: isBlocked } = chat
  const isMuted = Boolean(chat.wa_muteEndTime)
  const name = describeChat(chat)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys.
    <div
      id={makeRowId(chat.wa_chatid)}
      role="option"
      aria-selected={isChosen}
      aria-posinset={place}
      aria-setsize={count}
      className={`${styles.row} ${isActive ? styles.active : ''} ${unread === 0 ? '' : styles.isUnread}`}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onChoose(chat.wa_chatid)}
    >
      <Avatar chatId={chat.wa_chatid} name={name} isGroup={chat.wa_isGroup === true} />
      <strong className={styles.name}>
        <bdi>{name}</bdi>
      </strong>
      <When at={chat.wa_lastMsgTimestamp ?? 0} />
      <span className={styles.last}>
        {doing === undefined ? (
          <Last chat={chat} last={last} />
        ) : (
          <em className={styles.doing}>{doing === 'recording' ? inbox.recording : inbox.typing}</em>
        )}
      </span>
      <span className={styles.marks}>
        {isBlocked ? <span>{said.blocked}</span> : null}
        {isMuted ? <Mark icon={BellOff} word={said.muted} /> : null}
        {isPinned ? <Mark icon={Pin} word={said.pinned} /> : null}
        {unread === 0 ? null : (
          <span className={styles.unread}>
            <span aria-hidden="true">{unread < 0 ? '' : unread > 999 ? '999+' : unread}</span>
            <span className="sr-only">{said.unreadCount(unread)}</span>
          </span>
        )}
      </span>
    </div>
  )
})

interface MarkProps {
  readonly icon: ComponentType<{ size?: number }>
  readonly word: string
}

function Mark({ icon: Icon, word }: MarkProps) {
  return (
    <span className={styles.mark} title={word}>
      <Icon size={15} />
      <span className="sr-only">{word}</span>
    </span>
  )
}

const ICONS: Readonly<Record<string, ComponentType<{ size?: number; className?: string | undefined }>>> = {
  image: Camera,
  video: Video,
  gif: Video,
  ptv: Video,
  audio: Music,
  ptt: Mic,
  document: FileText,
  sticker: Sticker,
  location: MapPin,
  contact: User,
  poll: ChartBar,
  list: List,
  call: Phone,
  reaction: Smile,
}

/** What was written last: whose it is, how far it has come, its kind and its text. */
function Last({ chat, last }: { readonly chat: Chat; readonly last: LastMessage | undefined }) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { wa_lastMessageTextVote: text = '', wa_lastMessageType: type = '', wa_lastMessageSender: sender = '' } = chat
  const kind = type.replace(/Message$/, '').toLowerCase()
  const Icon = ICONS[kind]
  const isOwn = last?.fromMe ?? (sender !== '' && sender.split(/[@:]/, 1)[0] === chat.owner)
  return (
    <>
      {isOwn ? last === undefined ? <span>{inbox.you}: </span> : <Ticks status={last.status} /> : null}
      {Icon === undefined ? null : <Icon size={15} className={styles.kind} />}
      <bdi>{showUnseen(removeIds(text || said.kinds[kind] || '').slice(0, TEXT_MAX))}</bdi>
    </>
  )
}

/** A mention is written as a number of many digits, which says nothing to people. The chat itself shows the name. */
function removeIds(text: string): string {
  return text.slice(0, 2 * TEXT_MAX).replace(/@\d{8,20}/g, '@…')
}

export function makeRowId(chatId: string): string {
  return `chat-${chatId}`
}

const HOUR = { hour: '2-digit', minute: '2-digit' } as const
const WEEKDAY = { weekday: 'long' } as const
const DAY = { dateStyle: 'short' } as const
const WEEK_MS = 6 * 24 * 3_600_000

/** The hour of today, the day of this week, else the date. */
function When({ at }: { readonly at: number }) {
  const language = useLanguage()
  const time = new Date(at)
  if (at === 0 || Number.isNaN(time.getTime())) return null
  const isToday = time.toDateString() === new Date().toDateString()
  const form = isToday ? HOUR : Date.now() - at < WEEK_MS ? WEEKDAY : DAY
  return (
    <time className={styles.when} dateTime={time.toISOString()}>
      {makeDateFormat(language, form).format(time)}
    </time>
  )
}
