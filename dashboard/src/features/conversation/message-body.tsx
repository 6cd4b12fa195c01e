import { useContext } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { makeLate } from '../../components/late.js'
import { makeDateFormat } from '../../format/formats.js'
import { showUnseen } from '../../format/visible.js'
import { listEdits } from '../../hooks/message-window.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage } from '../../words/index.js'
import { Formatted } from './formatted.js'
import { Media } from './media.js'
import { insertNames, NamesContext } from './mentions.js'
import styles from './message.module.css'
import { listMentions, readLink } from './message-facts.js'

const MenuBody = makeLate(async () => (await import('./menu-body.js')).MenuBody, { isAhead: true })
const RareBody = makeLate(async () => (await import('./rare-body.js')).RareBody, { isAhead: true })
const Poll = makeLate(async () => (await import('./poll.js')).Poll, { isAhead: true })

const MEDIA = new Set(['image', 'video', 'document', 'audio', 'sticker'])
/** Kinds whose text is all that there is to show. */
const PLAIN = new Set(['text', 'button', 'list', 'poll', 'image', 'video', 'document', 'audio', 'sticker'])
const OPTIONS_MAX = 100

interface MessageBodyProps {
  readonly message: Message
  /** Opens the viewer at a picture. */
  readonly onOpen: (message: Message) => void
}

/** What a message says, by its kind. */
export function MessageBody({ message, onOpen }: MessageBodyProps) {
  const said = useConversationWords()
  const names = useContext(NamesContext)
  const { messageType, status, vote = '', text = '', content } = message
  if (status === 'deleted') return <Deleted message={message} />
  if (messageType === 'unreadable') return <p className={styles.notice}>{said.unreadable}</p>
  if (messageType === 'poll') return <Poll message={message} />
  if (messageType === 'contact' || messageType === 'location') return <RareBody message={message} />
  if ((messageType === 'button' || messageType === 'list') && vote !== '')
    return <p className={styles.notice}>{said.tapped(showUnseen(vote))}</p>
  const present = insertNames(listEdits(message).at(-1)?.text ?? text, listMentions(content), names)
  return (
    <>
      {PLAIN.has(messageType) ? null : <p className={styles.kind}>{said.kinds[messageType] ?? messageType}</p>}
      {MEDIA.has(messageType) ? <Media message={message} onOpen={onOpen} /> : null}
      <LinkCard message={message} />
      {present === '' || isFileName(message, present) ? null : <Formatted text={present} />}
      {messageType === 'button' || messageType === 'list' || message.convertOptions ? (
        <MenuBody message={message} />
      ) : null}
      <Edits message={message} />
    </>
  )
}

/** The preview of a link, as its sender made it. */
function LinkCard({ message }: { readonly message: Message }) {
  const link = readLink(message)
  if (link === null) return null
  return (
    <a className={styles.link} href={link.href} target="_blank" rel="noopener noreferrer">
      {link.thumbnail === null ? null : <img src={link.thumbnail} alt="" />}
      <span>
        <strong>
          <bdi>{showUnseen(link.title)}</bdi>
        </strong>
        {link.description === '' ? null : <bdi className={styles.linkText}>{showUnseen(link.description)}</bdi>}
        <span className={styles.linkHost}>{link.host}</span>
      </span>
    </a>
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
  const edits = listEdits(message)
  if (edits.length === 0) return null
  const before = [{ text: message.text ?? '', at: message.messageTimestamp }, ...edits].slice(0, -1).toReversed()
  const time = makeDateFormat(language, { dateStyle: 'short', timeStyle: 'short' })
  return (
    <details className={styles.before}>
      <summary>{said.edited}</summary>
      <ol aria-label={said.before}>
        {before.slice(0, OPTIONS_MAX).map(({ text, at }) => (
          <li key={`${at} ${text.slice(0, 50)}`}>
            <time dateTime={toIsoTime(at)}>{time.format(at)}</time>
            <Formatted text={text} />
          </li>
        ))}
      </ol>
    </details>
  )
}

function toIsoTime(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
