import { type FormEvent, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { makeRandomKey } from '../../api/random-key.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { Failure } from '../../components/failure.js'
import { Notice } from '../../components/notice.js'
import { readOwnZone } from '../../format/local-time.js'
import { showUnseen } from '../../format/visible.js'
import type { Written } from '../../hooks/outbox.js'
import { useSendCall } from '../../hooks/use-send-call.js'
import { useSentence } from '../../hooks/use-sentences.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useComposerWords } from '../../words/composer/index.js'
import { warningSentences } from '../../words/sentences/warnings.js'
import styles from './composer.module.css'
import { type Draft, isFile, makeDraft } from './draft.js'
import { MessageEditor } from './message-editor.js'
import { OptionsPart } from './options-part.js'
import { chatPlaceholders } from './placeholders.js'
import { Preview } from './preview.js'
import { makeNoOptions, makeSendCall, type SendCall, type SendOptions } from './request.js'
import { findWrongPlaces } from './wrong-places.js'

interface Refused {
  readonly written: Written
  readonly problem: Problem | null
}

interface ComposerProps {
  /** Number or JID to which it goes. */
  readonly chatId: string
  /** Message that is answered. */
  readonly replyTo?: { readonly id: string; readonly text: string; readonly name: string } | undefined
  readonly onReplyEnd?: () => void
  readonly onSent?: (message: Message) => void
  /** Takes what is written instead of sending it from here. */
  readonly onPost?: (call: SendCall, written: Written) => void
  /** Refused content, to mend it. */
  readonly refused?: Refused | undefined
  /** Values of placeholders for the preview, as far as they are known. */
  readonly values?: Readonly<Record<string, string>>
  /** Local time at which it is sent, as an input of the kind `datetime-local` has it; empty: now. */
  readonly sendAt?: string
}

/** Writes and sends a message of any kind, with a preview and the same call for a shell. What is written stays until it is sent. */
export function Composer(props: ComposerProps) {
  const { chatId, replyTo, onReplyEnd, onSent, onPost, refused, values, sendAt = '' } = props
  const composer = useComposerWords()
  const { told } = useThisInstance()
  const [draft, setDraft] = useState(() => refused?.written.draft ?? makeDraft())
  const [options, setOptions] = useState<SendOptions>(
    () => refused?.written.options ?? { ...makeNoOptions(readOwnZone()), sendAt },
  )
  const call = makeSendCall(draft, chatId, options, replyTo?.id)
  const problem = refused !== undefined && draft === refused.written.draft ? refused.problem : null
  const { send, submit, wrong } = useSubmit(draft, call, {
    problem,
    post: onPost === undefined ? undefined : () => onPost(call, { draft, options }),
    onSent: (message) => {
      // What is written meanwhile stays.
      setDraft((now) => (now === draft ? makeDraft() : now))
      setOptions((before) => ({ ...makeNoOptions(before.timezone), sendAt }))
      onReplyEnd?.()
      onSent?.(message)
    },
  })
  const names = [...chatPlaceholders, ...Object.values(told.instance.fieldsMap ?? {})]

  return (
    <form className={styles.composer} onSubmit={submit} aria-label={composer.title}>
      {replyTo === undefined ? null : <ReplyBar replyTo={replyTo} onEnd={onReplyEnd} />}
      <MessageEditor
        draft={draft}
        change={(part) => setDraft((before) => ({ ...before, ...part }))}
        wrong={wrong}
        names={names}
        isSentByEnter
      />
      <div className={styles.inline}>
        <Button type="submit" look="main" isBusy={send.isPending}>
          {options.sendAt === '' ? composer.send : composer.schedule}
        </Button>
        {told.status.connected || options.sendAt !== '' ? null : <span>{composer.notConnected}</span>}
      </div>
      {problem === null ? null : <Failure error={problem} />}
      <Outcome send={send} />
      <OptionsPart options={options} onChange={setOptions} wrong={wrong} isGroup={chatId.endsWith('@g.us')} />
      <details className={styles.more} open={draft.kind !== 'text' || undefined}>
        <summary>
          {composer.preview}, {composer.asCurl.toLowerCase()}
        </summary>
        <div className={styles.columns}>
          <Preview draft={draft} {...(values === undefined ? {} : { values })} />
          <div className={styles.part}>
            <h3>{composer.asCurl}</h3>
            <CallLines call={buildShownCall(call.operation, call)} />
            {call.files.size === 0 ? null : <p>{composer.curlFiles}</p>}
          </div>
        </div>
      </details>
    </form>
  )
}

interface Submission {
  /** Reason for which the same draft was refused before. */
  readonly problem: Problem | null
  readonly post: (() => void) | undefined
  readonly onSent: (message: Message) => void
}

/** Sends the draft, under one key while the same message is tried again. */
function useSubmit(draft: Draft, call: SendCall, { problem, post, onSent }: Submission) {
  const composer = useComposerWords()
  const { credential } = useThisInstance()
  const [isMissing, setMissing] = useState(false)
  const send = useSendCall(credential)
  const idempotency = useRef({ key: makeRandomKey(), print: '' })
  const reasons = findWrongPlaces(send.error ?? problem, call.places)
  const wrong = (place: string) => (place === 'file' && isMissing ? composer.fileMissing : reasons[place])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (send.isPending) return
    const lacksFile = isFile(draft.kind) && draft.file === null
    setMissing(lacksFile)
    if (lacksFile) return
    if (post !== undefined) post()
    else send.mutate({ ...call, idempotencyKey: formatKey(call) }, { onSuccess: onSent, onSettled: renewKey })
  }

  function formatKey({ path, body, files }: SendCall): string {
    const sizes = [...files.values()].map(({ name, blob }) => [name, blob.size])
    const print = JSON.stringify([path, body, sizes])
    if (print !== idempotency.current.print) idempotency.current = { key: makeRandomKey(), print }
    return idempotency.current.key
  }

  function renewKey(_: unknown, error: Error | null): void {
    const isUnknown = error instanceof Problem && (error.status === 0 || error.status >= 500)
    if (!isUnknown) idempotency.current = { key: makeRandomKey(), print: '' }
  }

  return { send, submit, wrong }
}

function ReplyBar({
  replyTo,
  onEnd,
}: {
  readonly replyTo: NonNullable<ComposerProps['replyTo']>
  readonly onEnd: (() => void) | undefined
}) {
  const composer = useComposerWords()
  return (
    <div className={styles.reply}>
      <p>
        <bdi>{composer.reply(showUnseen(replyTo.name))}</bdi>
      </p>
      <p className={styles.quoted}>
        <bdi>{showUnseen(replyTo.text.slice(0, 200))}</bdi>
      </p>
      <Button aria-label={composer.endReply} onClick={onEnd}>
        ✕
      </Button>
    </div>
  )
}

function Outcome({ send }: { readonly send: ReturnType<typeof useSendCall> }) {
  const composer = useComposerWords()
  const say = useSentence(warningSentences)
  if (send.isPending) return send.failureCount === 0 ? null : <Notice look="busy">{composer.waiting}</Notice>
  if (send.error !== null) return <Failure error={send.error} />
  if (send.data === undefined) return null
  const { status, warnings = [] } = send.data
  return (
    <Notice>
      <p>{warnings.length > 0 ? composer.warnings : status === 'scheduled' ? composer.scheduled : composer.sent}</p>
      {warnings.map((warning) => (
        <p key={warning}>
          <bdi>{say(warning)}</bdi>
        </p>
      ))}
    </Notice>
  )
}
