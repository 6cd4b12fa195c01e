import { type FormEvent, useId, useRef, useState } from 'react'
import type { Credential } from '../../api/client.js'
import { gatewayUrl } from '../../api/places.js'
import { Problem } from '../../api/problem.js'
import { randomKey } from '../../api/random-key.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import { Failure } from '../../components/failure.js'
import { InputField, TextField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { curlLine } from '../../format/curl.js'
import { visible } from '../../format/visible.js'
import { useSendText } from '../../hooks/use-instance.js'
import { useWords } from '../../words/index.js'
import styles from './first-message.module.css'
import type { RecentMessages, Shown } from './use-recent-messages.js'

interface FirstMessageProps {
  readonly credential: Credential | undefined
  /** Number of the account, to which the first message goes unless another is typed. */
  readonly owner: string
  readonly recent: RecentMessages
}

/** Sends a text, shows the same call for a shell, and what comes and goes meanwhile. */
export function FirstMessage({ credential, owner, recent: { messages, add } }: FirstMessageProps) {
  const words = useWords()
  const titleId = useId()
  const send = useSendText(credential)
  const [number, setNumber] = useState(owner)
  const [text, setText] = useState(words.first.hello)
  // The same key for each try of one text: a retry after a lost answer sends nothing twice.
  const idempotencyKey = useRef(randomKey())
  const fields = send.error instanceof Problem ? send.error.fields : {}

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (send.isPending) return
    send.mutate({ number, text, idempotencyKey: idempotencyKey.current }, { onSuccess: add, onSettled: renewKey })
  }

  function renewKey(_: unknown, error: Error | null): void {
    const isUnknown = error instanceof Problem && (error.status === 0 || error.status >= 500)
    if (!isUnknown) idempotencyKey.current = randomKey()
  }

  const change = (set: (value: string) => void) => (value: string) => {
    idempotencyKey.current = randomKey()
    set(value)
  }
  const changeNumber = change(setNumber)
  const changeText = change(setText)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.first.title}</h2>
      <p>{words.first.help}</p>
      <div className={styles.columns}>
        <form className={styles.form} onSubmit={submit}>
          <InputField
            label={words.first.to}
            wrong={fields.number}
            required
            maxLength={100}
            autoComplete="off"
            value={number}
            onChange={({ target }) => changeNumber(target.value)}
          />
          <TextField
            label={words.first.text}
            wrong={fields.text}
            required
            rows={3}
            maxLength={65_536}
            value={text}
            onChange={({ target }) => changeText(target.value)}
          />
          <div>
            <Button type="submit" look="main" isBusy={send.isPending}>
              {words.first.send}
            </Button>
          </div>
          {send.error === null || Object.keys(fields).length > 0 ? null : <Failure error={send.error} />}
        </form>
        <div className={styles.form}>
          <h3>{words.first.asCurl}</h3>
          <Copyable
            text={curlLine(`${gatewayUrl}/send/text`, { number, text })}
            copy={words.copy}
            copied={words.copied}
          />
        </div>
      </div>
      <Conversation messages={messages} />
    </Card>
  )
}

function Conversation({ messages }: { readonly messages: readonly Shown[] }) {
  const words = useWords()
  const titleId = useId()
  return (
    <>
      <h3 id={titleId}>{words.first.conversation}</h3>
      {messages.length === 0 ? <p>{words.first.nothing}</p> : null}
      <ol className={styles.messages} role="log" aria-labelledby={titleId}>
        {messages.map((one) => (
          <li key={one.messageid} className={`${styles.message} ${one.fromMe ? styles.own : ''}`}>
            <bdi>{visible(one.text) || words.first.noText(one.messageType)}</bdi>
            <div className={styles.status}>
              <bdi>{one.fromMe ? (words.first.status[one.status] ?? one.status) : visible(one.senderName)}</bdi>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
