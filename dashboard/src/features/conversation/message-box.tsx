import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { visible } from '../../format/visible.js'
import { dropSend, type NewSend, type OutgoingSend } from '../../hooks/outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import styles from './conversation.module.css'
import { senderName } from './names.js'

interface MessageBoxProps {
  readonly chatId: string
  readonly replyTo: Message | null
  readonly onReplied: () => void
  /** Sends that the gateway refused. Their text returns to the box. */
  readonly failed: readonly OutgoingSend[]
  /** Stands before the box. */
  readonly more: ReactNode
  readonly onSend: (send: Omit<NewSend<'sendText'>, 'instanceId' | 'chatId'>) => void
  /** Opens the composer with what it had. */
  readonly onMend: (send: OutgoingSend) => void
}

/** A text to send, with the message that it answers. */
export function MessageBox({ chatId, replyTo, onReplied, failed, more, onSend, onMend }: MessageBoxProps) {
  const said = useConversationWords()
  const [text, setText] = useState('')
  const id = useId()
  const refused = failed.find(({ written }) => written === undefined)
  const mendable = failed.find(({ written }) => written !== undefined)
  // The text of a refused send returns at once, unless another one is being written.
  const [returned, setReturned] = useState<string | null>(null)
  if (refused !== undefined && returned !== refused.key && text === '') {
    setReturned(refused.key)
    setText(refused.shown.text)
  }
  const send = () => {
    if (text.trim() === '') return
    const reply = replyTo === null ? {} : { replyid: replyTo.id }
    if (refused !== undefined) dropSend(refused.key)
    onSend({
      operation: 'sendText',
      body: { number: chatId, text, ...reply },
      shown: { messageType: 'text', text, ...(replyTo === null ? {} : { quoted: replyTo.messageid }) },
    })
    setText('')
    onReplied()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyTo !== null) onReplied()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className={styles.box} onSubmit={submit}>
      {refused === undefined ? null : (
        <Refused
          send={refused}
          back={said.putBack}
          onBack={
            returned === refused.key
              ? undefined
              : () => {
                  setReturned(refused.key)
                  setText(refused.shown.text)
                }
          }
        />
      )}
      {mendable === undefined ? null : (
        <Refused send={mendable} back={said.openAgain} onBack={() => onMend(mendable)} />
      )}
      {replyTo === null ? null : <Replying to={replyTo} onStop={onReplied} />}
      <div className={styles.writing}>
        {more}
        <textarea
          id={id}
          aria-label={said.write}
          placeholder={said.write}
          title={said.sendHelp}
          rows={Math.min(6, text.split('\n', 6).length)}
          maxLength={65_536}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKey}
        />
        <Button type="submit" look="main">
          {said.send}
        </Button>
      </div>
    </form>
  )
}

function Replying({ to, onStop }: { readonly to: Message; readonly onStop: () => void }) {
  const said = useConversationWords()
  return (
    <div className={styles.replying}>
      <p>
        {said.replyTo(to.fromMe ? said.you : senderName(to))}{' '}
        <bdi>{visible((to.text || said.kinds[to.messageType] || '').slice(0, 200))}</bdi>
      </p>
      <Button onClick={onStop} aria-label={said.stopReply}>
        ×
      </Button>
    </div>
  )
}

interface RefusedProps {
  readonly send: OutgoingSend
  readonly back: string
  /** Left out: what was refused is in the box already. */
  readonly onBack: (() => void) | undefined
}

function Refused({ send, back, onBack }: RefusedProps) {
  const said = useConversationWords()
  return (
    <div className={styles.refused} role="alert">
      <p>
        {said.notSent} <bdi>{visible(send.problem?.message ?? '')}</bdi>
      </p>
      {onBack === undefined ? null : <Button onClick={onBack}>{back}</Button>}
      <Button onClick={() => dropSend(send.key)}>{said.discard}</Button>
    </div>
  )
}
