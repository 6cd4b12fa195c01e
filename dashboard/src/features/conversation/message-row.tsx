import { memo } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { dateFormat } from '../../format/formats.js'
import { exactTime } from '../../format/time.js'
import { visible } from '../../format/visible.js'
import type { Reaction } from '../../hooks/message-window.js'
import type { OutgoingSend } from '../../hooks/outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage } from '../../words/index.js'
import { Formatted } from './formatted.js'
import styles from './message.module.css'
import { MessageBody } from './message-body.js'
import { senderName } from './names.js'
import { Ticks } from './ticks.js'

const QUOTE_MAX = 200

interface MessageRowProps {
  readonly message: Message
  readonly quoted: Message | undefined
  readonly reactions: readonly Reaction[] | undefined
  readonly isFlashed: boolean
  readonly isWaiting: boolean
  readonly onJump: (id: string, from: string) => void
  readonly onActions: (message: Message, button: HTMLElement) => void
}

/** One message. Drawn again only if something of it changes. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const said = useConversationWords()
  const { message, quoted, reactions, isFlashed, isWaiting, onJump, onActions } = props
  const { fromMe, isGroup = false, status, error = '', provider_code: code = null, quoted: quotedId = '' } = message
  const name = fromMe ? said.you : senderName(message)
  return (
    <div className={`${styles.bubble} ${fromMe ? styles.own : ''} ${isFlashed ? styles.flashed : ''}`}>
      {isGroup && !fromMe ? (
        <p className={styles.sender}>
          <bdi>{name}</bdi>
        </p>
      ) : null}
      {quotedId === '' ? null : (
        <button type="button" className={styles.quoted} onClick={() => onJump(quotedId, message.id)}>
          {quoted === undefined ? (
            said.jumpToQuoted
          ) : (
            <>
              <strong>
                <bdi>{quoted.fromMe ? said.you : senderName(quoted)}</bdi>
              </strong>{' '}
              <bdi>{visible((quoted.text || said.kinds[quoted.messageType] || '').slice(0, QUOTE_MAX))}</bdi>
            </>
          )}
        </button>
      )}
      <MessageBody message={message} />
      {status === 'failed' ? (
        <p className={styles.failure} role="note">
          <bdi>{visible(error.slice(0, 500))}</bdi> {code === null ? '' : `(${code})`} {said.failedHelp(code)}
        </p>
      ) : null}
      <p className={styles.foot}>
        <Time at={message.messageTimestamp} />
        {fromMe ? <Ticks status={isWaiting ? 'waiting' : status} /> : null}
        <button
          type="button"
          className={styles.actions}
          aria-haspopup="menu"
          aria-label={said.actionsOf(name)}
          onClick={({ currentTarget }) => onActions(message, currentTarget)}
        >
          ⋯
        </button>
      </p>
      {reactions === undefined || reactions.length === 0 ? null : <Reactions reactions={reactions} />}
    </div>
  )
})

function Reactions({ reactions }: { readonly reactions: readonly Reaction[] }) {
  const said = useConversationWords()
  return (
    <ul className={styles.reactions}>
      {reactions.slice(0, 50).map(({ emoji, sender, name, fromMe }) => (
        <li key={fromMe ? 'me' : sender} title={fromMe ? said.you : visible(name).slice(0, 100)}>
          <bdi>{visible(emoji.slice(0, 16))}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** A send that the gateway has not answered yet. */
export const OutgoingRow = memo(function OutgoingRow({ send }: { readonly send: OutgoingSend }) {
  const said = useConversationWords()
  const { shown, at, state } = send
  return (
    <div className={`${styles.bubble} ${styles.own}`} aria-busy={state === 'sending'}>
      {shown.messageType === 'text' ? null : <p className={styles.kind}>{said.kinds[shown.messageType] ?? ''}</p>}
      <Formatted text={shown.text} />
      <p className={styles.foot}>
        <Time at={at} />
        <Ticks status={state} />
      </p>
    </div>
  )
})

function Time({ at }: { readonly at: number }) {
  const language = useLanguage()
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return null
  return (
    <time dateTime={time.toISOString()} title={exactTime(time, language)}>
      {dateFormat(language, { hour: '2-digit', minute: '2-digit' }).format(time)}
    </time>
  )
}
