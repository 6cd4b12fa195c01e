import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { Credential } from '../../api/client.js'
import { Problem } from '../../api/problem.js'
import { makeRandomKey } from '../../api/random-key.js'
import { readSession } from '../../api/session.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { Failure } from '../../components/failure.js'
import { InputField, TextField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useSendText } from '../../hooks/use-instance.js'
import type { RecentMessages, Shown } from '../../hooks/use-recent-messages.js'
import { useFirstMessageWords } from '../../words/first-message/index.js'
import styles from './first-message.module.css'

interface FirstMessageProps {
  readonly credential: Credential | undefined
  /** Number of the account, to which the first message goes unless another is typed. */
  readonly owner: string
  readonly recent: RecentMessages
  /** True after a pairing: the text is the next thing to do. */
  readonly takesFocus: boolean
}

/** Sends a text, shows the same call for a shell, and what comes and goes meanwhile. */
export function FirstMessage({ credential, owner, recent: { messages, add }, takesFocus }: FirstMessageProps) {
  const first = useFirstMessageWords()
  // A key for one chat may write to nobody else.
  const onlyChat = readSession()?.chat ?? ''
  const titleId = useId()
  const send = useSendText(credential)
  const [number, setNumber] = useState(onlyChat === '' ? owner : (onlyChat.split('@')[0] ?? ''))
  const [text, setText] = useState(first.hello)
  // The same key for each try of one text: a retry after a lost answer sends nothing twice.
  const idempotencyKey = useRef(makeRandomKey())
  const fields = send.error instanceof Problem ? send.error.fields : {}

  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // A person who types or presses something else keeps the focus there.
    const isFree = document.activeElement?.matches('input, textarea, select, button, a') !== true
    if (takesFocus && isFree) form.current?.querySelector('textarea')?.focus()
  }, [takesFocus])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (send.isPending) return
    send.mutate({ number, text, idempotencyKey: idempotencyKey.current }, { onSuccess: add, onSettled: renewKey })
  }

  function renewKey(_: unknown, error: Error | null): void {
    const isUnknown = error instanceof Problem && (error.status === 0 || error.status >= 500)
    if (!isUnknown) idempotencyKey.current = makeRandomKey()
  }

  const change = (set: (value: string) => void) => (value: string) => {
    idempotencyKey.current = makeRandomKey()
    set(value)
  }
  const changeNumber = change(setNumber)
  const changeText = change(setText)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{first.title}</h2>
      <p>{first.help}</p>
      <div className={styles.columns}>
        <form ref={form} className={styles.form} onSubmit={submit}>
          <InputField
            label={first.to}
            wrong={fields.number}
            required
            maxLength={100}
            autoComplete="off"
            readOnly={onlyChat !== ''}
            value={number}
            onChange={({ target }) => changeNumber(target.value)}
          />
          <TextField
            label={first.text}
            wrong={fields.text}
            required
            rows={3}
            maxLength={65_536}
            value={text}
            onChange={({ target }) => changeText(target.value)}
          />
          <div>
            <Button type="submit" look="main" isBusy={send.isPending}>
              {first.send}
            </Button>
          </div>
          {send.error === null || Object.keys(fields).length > 0 ? null : <Failure error={send.error} />}
        </form>
        <div className={styles.form}>
          <h3>{first.asCurl}</h3>
          <CallLines call={buildShownCall('sendText', { body: { number, text } })} />
        </div>
      </div>
      <Conversation messages={messages} />
    </Card>
  )
}

function Conversation({ messages }: { readonly messages: readonly Shown[] }) {
  const first = useFirstMessageWords()
  const titleId = useId()
  return (
    <>
      <h3 id={titleId}>{first.conversation}</h3>
      {messages.length === 0 ? <p>{first.nothing}</p> : null}
      <div role="log" aria-labelledby={titleId}>
        <ol className={styles.messages}>
          {messages.map((one) => (
            <li key={one.messageid} className={`${styles.message} ${one.fromMe ? styles.own : ''}`}>
              <bdi>{showUnseen(one.text) || first.noText(one.messageType)}</bdi>
              <div className={styles.status}>
                <bdi>{one.fromMe ? (first.status[one.status] ?? one.status) : showUnseen(one.senderName)}</bdi>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}
