import { Ban, ChevronDown, Star } from 'lucide-react'
import { memo } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { makeDateFormat } from '../../format/formats.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { listEdits, type Reaction } from '../../hooks/message-window.js'
import type { OutgoingSend } from '../../hooks/outbox.js'
import { useSentence } from '../../hooks/use-sentences.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { failureSentences } from '../../words/sentences/failures.js'
import { numberSentences } from '../../words/sentences/numbers.js'
import { Album } from './album.js'
import { Avatar, chooseColour } from './avatar.js'
import { Formatted } from './formatted.js'
import styles from './message.module.css'
import { MessageBody } from './message-body.js'
import { describeSender } from './names.js'
import { Ticks } from './ticks.js'

const QUOTE_MAX = 200
/** Characters up to which the time stands behind the text, in its last line. */
const INLINE_MAX = 3_000
/** Kinds that stand without a bubble around them. */
const BARE = new Set(['sticker'])

export interface MessageRowProps {
  readonly message: Message
  readonly album: readonly Message[] | undefined
  readonly quoted: Message | undefined
  readonly reactions: readonly Reaction[] | undefined
  readonly isFlashed: boolean
  readonly isStart: boolean
  readonly isWaiting: boolean
  /** When the message came as far as its state says, if it is known. */
  readonly stateAt: number | undefined
  /** Undefined while nothing is selected. */
  readonly isSelected: boolean | undefined
  readonly onJump: (id: string, from: string) => void
  readonly onActions: (message: Message, button: HTMLElement) => void
  readonly onSelect: (message: Message) => void
  readonly onOpen: (message: Message) => void
}

/** One message. Drawn again only if something of it changes. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { message, album, quoted, reactions, isFlashed, isStart, isWaiting, onJump, onActions } = props
  const { isSelected, onSelect, onOpen, stateAt } = props
  const { fromMe, isGroup = false, status, quoted: quotedId = '', sender = '' } = message
  const name = fromMe ? said.you : describeSender(message)
  const look = [
    styles.bubble,
    fromMe ? styles.own : '',
    isStart ? styles.start : '',
    isFlashed ? styles.flashed : '',
    BARE.has(message.messageType) && status !== 'deleted' ? styles.bare : '',
    isInline(message) && album === undefined ? styles.inline : '',
  ]
  return (
    <div className={`${styles.line} ${fromMe ? styles.ownLine : ''} ${isStart ? styles.lineStart : ''}`}>
      {isSelected === undefined ? null : (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={inbox.selectThis}
          checked={isSelected}
          onChange={() => onSelect(message)}
        />
      )}
      {isGroup && !fromMe ? (
        <span className={styles.face}>
          {isStart ? <Avatar chatId={sender} name={name} isGroup={false} size={28} hasPicture={false} /> : null}
        </span>
      ) : null}
      <div className={look.filter(Boolean).join(' ')}>
        {isGroup && !fromMe && isStart ? (
          <p className={`${styles.sender} ${styles[`s${chooseColour(sender)}`]}`}>
            <bdi>{name}</bdi>
          </p>
        ) : null}
        {quotedId === '' ? null : <Quoted quoted={quoted} onJump={() => onJump(quotedId, message.id)} />}
        {album === undefined ? (
          <MessageBody message={message} onOpen={onOpen} />
        ) : (
          <Album messages={album} onOpen={onOpen} />
        )}
        {status === 'failed' ? <Failed message={message} /> : null}
        <p className={styles.foot}>
          {message.starred === true ? (
            <span title={inbox.starred}>
              <Star size={12} fill="currentColor" aria-hidden="true" />
              <span className="sr-only">{inbox.starred}</span>
            </span>
          ) : null}
          {listEdits(message).length > 0 && status !== 'deleted' ? <span>{said.edited}</span> : null}
          <Time at={message.messageTimestamp} />
          {fromMe && status !== 'deleted' ? <State status={isWaiting ? 'waiting' : status} at={stateAt} /> : null}
        </p>
        <button
          type="button"
          className={styles.actions}
          aria-haspopup="menu"
          aria-label={said.actionsOf(name)}
          onClick={({ currentTarget }) => onActions(message, currentTarget)}
        >
          <ChevronDown size={18} aria-hidden="true" />
        </button>
        {reactions === undefined || reactions.length === 0 ? null : <Reactions reactions={reactions} />}
      </div>
    </div>
  )
})

/** The time stands in the last line of a plain text, as phones draw it. */
function isInline({ messageType, text = '', status, content, convertOptions = '' }: Message): boolean {
  return (
    messageType === 'text' &&
    convertOptions === '' &&
    status !== 'failed' &&
    text.length < INLINE_MAX &&
    !/```\s*$/.test(text.slice(-20)) &&
    content !== null
  )
}

function State({ status, at }: { readonly status: string; readonly at: number | undefined }) {
  const language = useLanguage()
  return <Ticks status={status} at={at === undefined ? undefined : formatExactTime(new Date(at), language)} />
}

function Failed({ message: { error = '', provider_code: code = null } }: { readonly message: Message }) {
  const said = useConversationWords()
  const say = useSentence(failureSentences, numberSentences)
  return (
    <p className={styles.failure} role="note">
      <bdi>{say(error.slice(0, 500))}</bdi> {said.failedHelp(code)}
    </p>
  )
}

/** What a message answers: its writer and its text. It leads to that message. */
function Quoted({ quoted, onJump }: { readonly quoted: Message | undefined; readonly onJump: () => void }) {
  const said = useConversationWords()
  const colour = quoted === undefined || quoted.fromMe ? '' : (styles[`s${chooseColour(quoted.sender ?? '')}`] ?? '')
  return (
    <button type="button" className={`${styles.quoted} ${colour}`} onClick={onJump}>
      {quoted === undefined ? (
        said.jumpToQuoted
      ) : (
        <>
          <strong>
            <bdi>{quoted.fromMe ? said.you : describeSender(quoted)}</bdi>
          </strong>{' '}
          <span className={styles.quotedText}>
            {quoted.status === 'deleted' ? (
              <>
                <Ban size={13} aria-hidden="true" /> {said.deleted}
              </>
            ) : (
              <bdi>{showUnseen((quoted.text || said.kinds[quoted.messageType] || '').slice(0, QUOTE_MAX))}</bdi>
            )}
          </span>
        </>
      )}
    </button>
  )
}

/** Reactions under a bubble: each emoji once, with the number of those who chose it. */
function Reactions({ reactions }: { readonly reactions: readonly Reaction[] }) {
  const said = useConversationWords()
  const counts = new Map<string, string[]>()
  for (const { emoji, name, fromMe } of reactions.slice(0, 200)) {
    const key = showUnseen(emoji.slice(0, 16))
    counts.set(key, [...(counts.get(key) ?? []), fromMe ? said.you : showUnseen(name).slice(0, 100)])
  }
  return (
    <ul className={styles.reactions}>
      {[...counts].slice(0, 20).map(([emoji, names]) => (
        <li key={emoji} title={names.join(', ').slice(0, 1_000)}>
          <bdi>{emoji}</bdi>
          {names.length > 1 ? <span> {names.length}</span> : null}
        </li>
      ))}
    </ul>
  )
}

/** A send that the gateway has not answered yet. */
export const OutgoingRow = memo(function OutgoingRow({
  send,
  isStart,
}: {
  readonly send: OutgoingSend
  readonly isStart: boolean
}) {
  const said = useConversationWords()
  const { shown, at, state } = send
  const isText = shown.messageType === 'text'
  return (
    <div className={`${styles.line} ${styles.ownLine} ${isStart ? styles.lineStart : ''}`}>
      <div
        className={`${styles.bubble} ${styles.own} ${isStart ? styles.start : ''} ${isText ? styles.inline : ''}`}
        aria-busy={state === 'sending'}
      >
        {isText ? null : <p className={styles.kind}>{said.kinds[shown.messageType] ?? ''}</p>}
        <Formatted text={shown.text} />
        <p className={styles.foot}>
          <Time at={at} />
          <Ticks status={state} />
        </p>
      </div>
    </div>
  )
})

function Time({ at }: { readonly at: number }) {
  const language = useLanguage()
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return null
  return (
    <time dateTime={time.toISOString()} title={formatExactTime(time, language)}>
      {makeDateFormat(language, { hour: '2-digit', minute: '2-digit' }).format(time)}
    </time>
  )
}
