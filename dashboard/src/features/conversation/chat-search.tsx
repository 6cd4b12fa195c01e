import type { Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useFoundMessages } from '../../hooks/use-conversation.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { TypedField } from './chat-filters.js'
import styles from './chat-search.module.css'
import { describeSender } from './names.js'

interface ChatSearchProps {
  readonly chatId: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onFound: (message: Message) => void
}

/** Messages of a chat that contain a text. One of them opens the chat around it. */
export function ChatSearch({ chatId, text, onText, onFound }: ChatSearchProps) {
  const words = useWords()
  const said = useConversationWords()
  const language = useLanguage()
  const { data, error, isFetching, refetch } = useFoundMessages(chatId, text === '' ? undefined : text)
  return (
    <search className={styles.found} data-found="">
      <TypedField label={said.searchIn} value={text} onTyped={onText} isFocused />
      <p role="status">
        {text === '' ? '' : isFetching ? words.loading : data === undefined ? '' : said.found(data.length)}
      </p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined || data.length === 0 ? null : (
        <ul>
          {data.map((message) => (
            <li key={message.id}>
              <button type="button" className={styles.foundRow} onClick={() => onFound(message)}>
                <strong>
                  <bdi>{message.fromMe ? said.you : describeSender(message)}</bdi>
                </strong>{' '}
                <time>{formatExactTime(new Date(message.messageTimestamp), language)}</time>
                <span className={styles.rowText}>
                  <bdi>{showUnseen((message.text ?? '').slice(0, 200))}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
