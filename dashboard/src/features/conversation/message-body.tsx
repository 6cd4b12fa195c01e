import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { dateFormat } from '../../format/formats.js'
import { vcardLines } from '../../format/vcard.js'
import { visible } from '../../format/visible.js'
import { editsOf } from '../../hooks/message-window.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage } from '../../words/index.js'
import { Formatted } from './formatted.js'
import { Media } from './media.js'
import styles from './message.module.css'

const MEDIA = new Set(['image', 'video', 'document', 'audio', 'sticker'])
/** Kinds whose text is all that there is to show. */
const PLAIN = new Set(['text', 'button', 'list', 'poll', 'image', 'video', 'document', 'audio', 'sticker'])
const OPTIONS_MAX = 100

/** What a message says, by its kind. */
export function MessageBody({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const { messageType, status, vote = '', text = '' } = message
  if (status === 'deleted') return <Deleted message={message} />
  if (messageType === 'unreadable') return <p className={styles.notice}>{said.unreadable}</p>
  if (messageType === 'poll') return <Poll message={message} />
  if (messageType === 'contact') return <Contacts message={message} />
  if (messageType === 'location') return <Place message={message} />
  if ((messageType === 'button' || messageType === 'list') && vote !== '')
    return <p className={styles.notice}>{said.tapped(visible(vote))}</p>
  const present = editsOf(message).at(-1)?.text ?? text
  return (
    <>
      {PLAIN.has(messageType) ? null : <p className={styles.kind}>{said.kinds[messageType] ?? messageType}</p>}
      {MEDIA.has(messageType) ? <Media message={message} /> : null}
      {present === '' || isFileName(message, present) ? null : <Formatted text={present} />}
      <Choices options={message.convertOptions ?? ''} />
      <Edits message={message} />
    </>
  )
}

function isFileName({ messageType, content }: Message, text: string): boolean {
  return messageType === 'document' && isObject(content) && content.fileName === text
}

function Deleted({ message: { text = '', messageType } }: { readonly message: Message }) {
  const said = useConversationWords()
  return (
    <>
      <p className={styles.notice}>{said.deleted}</p>
      {text === '' || messageType !== 'text' ? null : (
        <details>
          <summary>{said.wasDeleted}</summary>
          <Formatted text={text} />
        </details>
      )}
    </>
  )
}

function Edits({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const language = useLanguage()
  const edits = editsOf(message)
  if (edits.length === 0) return null
  const before = [{ text: message.text ?? '', at: message.messageTimestamp }, ...edits].slice(0, -1).toReversed()
  const time = dateFormat(language, { dateStyle: 'short', timeStyle: 'short' })
  return (
    <details className={styles.before}>
      <summary>{said.edited}</summary>
      <ol aria-label={said.before}>
        {before.slice(0, OPTIONS_MAX).map(({ text, at }) => (
          <li key={`${at} ${text.slice(0, 50)}`}>
            <time dateTime={isoOf(at)}>{time.format(at)}</time>
            <Formatted text={text} />
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Labels of buttons or rows. They do nothing here: a phone taps them. */
function Choices({ options }: { readonly options: string }) {
  if (options === '') return null
  return (
    <ul className={styles.choices}>
      {options
        .split('|')
        .slice(0, OPTIONS_MAX)
        .map((option, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two options may have the same text.
          <li key={place}>
            <bdi>{visible(option.slice(0, 1_000))}</bdi>
          </li>
        ))}
    </ul>
  )
}

interface Result {
  readonly option: string
  readonly votes: number
}

function Poll({ message: { text = '', vote = '', quoted = '', convertOptions = '' } }: { readonly message: Message }) {
  const said = useConversationWords()
  const results = resultsOf(vote)
  // A vote is a message of its own that names the poll.
  if (quoted !== '' && convertOptions === '' && results === null)
    return <p className={styles.notice}>{vote === '' ? said.kinds.poll : said.voted(visible(vote))}</p>
  const options = results ?? convertOptions.split('|').map((option) => ({ option, votes: 0 }))
  const most = Math.max(1, ...options.map(({ votes }) => votes))
  return (
    <>
      <Formatted text={text} />
      <ul className={styles.poll}>
        {options.slice(0, OPTIONS_MAX).map(({ option, votes }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two options may have the same text.
          <li key={place}>
            <bdi>{visible(option.slice(0, 1_000))}</bdi> <span>{said.votes(votes)}</span>
            <div className={styles.bar} aria-hidden="true">
              <div style={{ width: `${(100 * votes) / most}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function resultsOf(vote: string): readonly Result[] | null {
  if (!vote.startsWith('[')) return null
  try {
    const read: unknown = JSON.parse(vote)
    return Array.isArray(read)
      ? read.filter(isObject).map(({ option, votes }) => ({ option: String(option), votes: Number(votes) || 0 }))
      : null
  } catch {
    return null
  }
}

function Contacts({ message: { content, text = '' } }: { readonly message: Message }) {
  const said = useConversationWords()
  const cards = cardsOf(content)
  if (cards.length === 0) return <Formatted text={text} />
  return cards.slice(0, 20).map((card, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two cards may be the same.
    <dl key={place} className={styles.card}>
      {vcardLines(card).map(({ field, value }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same.
        <div key={line}>
          <dt>{said.fields[field]}</dt>
          <dd>
            <bdi>{visible(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  ))
}

function cardsOf(content: unknown): readonly string[] {
  if (!isObject(content)) return []
  if (typeof content.vcard === 'string') return [content.vcard]
  return Array.isArray(content.contacts) ? content.contacts.flatMap(cardsOf) : []
}

function Place({ message: { content, text = '' } }: { readonly message: Message }) {
  const said = useConversationWords()
  const { degreesLatitude, degreesLongitude, address } = isObject(content) ? content : {}
  const [latitude, longitude] = [Number(degreesLatitude), Number(degreesLongitude)]
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude)
  return (
    <>
      <p className={styles.kind}>{said.kinds.location}</p>
      {text === '' ? null : <Formatted text={text} />}
      {typeof address === 'string' && address !== '' ? <Formatted text={address} /> : null}
      {isKnown ? (
        <p>
          {latitude}, {longitude}
          <br />
          <a
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {said.openPlace}
          </a>
        </p>
      ) : null}
    </>
  )
}

function isoOf(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
