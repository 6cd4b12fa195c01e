import type { Chat, Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useFoundMessages } from '../../hooks/use-conversation.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import styles from './chat-list.module.css'
import { describeChat, describeSender, formatJid } from './names.js'

const TEXT_MAX = 200

interface FoundMessagesProps {
  readonly text: string
  /** Returns the chat of a message, if it is known. */
  readonly getName: (chatId: string) => Chat | undefined
  readonly onFound: (message: Message) => void
}

/** Messages of all chats that contain a text. One of them opens its chat around it. */
export function FoundMessages({ text, getName, onFound }: FoundMessagesProps) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const language = useLanguage()
  const { data, error, isFetching, refetch } = useFoundMessages(undefined, text)
  return (
    <section className={styles.found} aria-label={inbox.messagesFound}>
      <h2>{inbox.messagesFound}</h2>
      <p role="status" className={styles.foundCount}>
        {isFetching
          ? inbox.searchingAll
          : data === undefined
            ? ''
            : data.length === 0
              ? inbox.noneFound
              : said.found(data.length)}
      </p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <ul>
        {(data ?? []).map((message) => {
          const chat = getName(message.chatid)
          const whose = chat === undefined ? message.groupName || describeSender(message) : describeChat(chat)
          return (
            <li key={message.id}>
              <button type="button" className={styles.foundRow} onClick={() => onFound(message)}>
                <strong>
                  <bdi>{message.fromMe && chat === undefined ? formatJid(message.chatid) : showUnseen(whose)}</bdi>
                </strong>
                <time>{formatExactTime(new Date(message.messageTimestamp), language)}</time>
                <span className={styles.foundText}>
                  {message.fromMe ? `${inbox.you}: ` : ''}
                  <Around text={message.text ?? ''} part={text} />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The part of a text around what was searched for, which is marked. */
function Around({ text, part }: { readonly text: string; readonly part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase())
  if (at < 0) return <bdi>{showUnseen(text.slice(0, TEXT_MAX))}</bdi>
  const from = Math.max(0, at - 30)
  return (
    <bdi>
      {from > 0 ? '…' : ''}
      {showUnseen(text.slice(from, at))}
      <mark>{showUnseen(text.slice(at, at + part.length))}</mark>
      {showUnseen(text.slice(at + part.length, at + TEXT_MAX))}
    </bdi>
  )
}
