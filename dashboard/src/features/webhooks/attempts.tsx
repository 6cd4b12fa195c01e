import { useId, useState } from 'react'
import type { DeliveryAttempt, DeliveryReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Timeline } from '../../components/charts/timeline.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { formatDuration } from '../../format/duration.js'
import { showUnseen } from '../../format/visible.js'
import { useReplay, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { useReceiverWords } from '../../words/webhooks/receivers.js'
import { FailureReason } from './failure-reason.js'
import type { SignedDelivery } from './signature-help.js'
import styles from './webhooks.module.css'

interface AttemptsProps {
  readonly owner: WebhookOwner
  readonly reply: DeliveryReply
  readonly onCheck: (delivery: SignedDelivery) => void
}

/** One delivery: its attempts along a line, what was sent beside what was answered, and the button that sends it again. */
export function Attempts({ owner, reply, onCheck }: AttemptsProps) {
  const { delivery, attempts } = reply
  const words = useReceiverWords()
  const hook = useWebhookWords()
  const language = useLanguage()
  const [chosen, setChosen] = useState<DeliveryAttempt | undefined>(undefined)
  const shown = chosen ?? attempts.at(-1)
  const attemptsId = useId()
  return (
    <>
      <p className={layout.muted}>
        webhook-id <code>{delivery.eventId}</code>
      </p>
      <h3 id={attemptsId}>{words.attempts}</h3>
      {attempts.length === 0 ? <p>{words.notYet}</p> : null}
      <Timeline
        items={attempts.map((one, place) => ({
          key: `${one.attempt} ${one.at}`,
          look: one.error === null ? 'good' : 'bad',
          content: (
            <Attempt attempt={one} former={attempts[place - 1]} isShown={one === shown} onShow={() => setChosen(one)} />
          ),
        }))}
      />
      {delivery.nextAttemptAt === null ? null : (
        <p className={layout.row}>
          {words.next} <Moment at={delivery.nextAttemptAt} language={language} />
        </p>
      )}
      <Exchange reply={reply} attempt={shown} />
      <div className={layout.row}>
        <Resend owner={owner} reply={reply} />
        <CheckButton reply={reply} onCheck={onCheck} />
      </div>
      {shown?.headers ? (
        <details>
          <summary>{hook.headers}</summary>
          <pre className={layout.code}>
            {showUnseen(
              Object.entries(shown.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n'),
            )}
          </pre>
        </details>
      ) : null}
    </>
  )
}

interface AttemptProps {
  readonly attempt: DeliveryAttempt
  readonly former: DeliveryAttempt | undefined
  readonly isShown: boolean
  readonly onShow: () => void
}

function Attempt({ attempt: one, former, isShown, onShow }: AttemptProps) {
  const words = useReceiverWords()
  const hook = useWebhookWords()
  const language = useLanguage()
  const { attempt, at, url, status_code, error, durationMs, answer } = one
  const laterMs = former === undefined ? null : Date.parse(at) - Date.parse(former.at)
  return (
    <>
      <div className={layout.row}>
        <strong>{hook.attempt(attempt)}</strong>
        <span className={`${layout.tag} ${error === null ? layout.good : layout.bad}`}>
          {status_code === 0 ? hook.noAnswer : status_code}
        </span>
        {durationMs === null ? null : <span>{hook.duration(durationMs)}</span>}
        <Moment at={at} language={language} />
        {former !== undefined && attempt <= former.attempt ? <span className={layout.tag}>{words.again}</span> : null}
        {laterMs === null ? null : (
          <span className={layout.muted}>{words.after(formatDuration(Math.max(0, laterMs), language))}</span>
        )}
        {isShown || answer === '' ? null : <Button onClick={onShow}>{words.showAnswer}</Button>}
      </div>
      <FailureReason code={one.code} status={status_code} error={error} />
      <p className={layout.muted}>
        <bdi>{showUnseen(url)}</bdi>
      </p>
    </>
  )
}

/** What was sent, and beside it what the receiver answered. */
function Exchange({
  reply: { body, bodyIsCut },
  attempt,
}: {
  readonly reply: DeliveryReply
  readonly attempt: DeliveryAttempt | undefined
}) {
  const words = useReceiverWords()
  const hook = useWebhookWords()
  const [bodyId, answerId] = [useId(), useId()]
  return (
    <div className={styles.exchange}>
      <section aria-labelledby={bodyId} className={styles.side}>
        <h3 id={bodyId}>{words.sent}</h3>
        {bodyIsCut ? <p>{hook.bodyCut}</p> : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys. */}
        <pre className={layout.code} tabIndex={0}>
          {showUnseen(indent(body))}
        </pre>
      </section>
      {attempt === undefined ? null : (
        <section aria-labelledby={answerId} className={styles.side}>
          <h3 id={answerId}>{hook.testBody}</h3>
          {attempt.answer === '' ? (
            <p className={layout.muted}>{words.noBody}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
            <pre className={layout.code} tabIndex={0}>
              {showUnseen(attempt.answer)}
            </pre>
          )}
        </section>
      )}
    </div>
  )
}

/** Sends the event of a delivery to its receiver once more. What becomes of it is seen in its attempts. */
function Resend({ owner, reply: { delivery } }: Pick<AttemptsProps, 'owner' | 'reply'>) {
  const words = useReceiverWords()
  const replay = useReplay(owner)
  const isOnItsWay = delivery.state === 'waiting' || delivery.state === 'failed'
  const refused = replay.data?.replayed === 0 && !isOnItsWay
  return (
    <>
      <Button
        look="main"
        isBusy={replay.isPending}
        disabled={isOnItsWay}
        onClick={() => replay.mutate({ deliveries: [delivery.id] })}
      >
        {words.resend}
      </Button>
      <span role="status" className={layout.muted}>
        {isOnItsWay ? words.onItsWay : refused ? words.notResent : replay.isSuccess ? words.resent : words.resendHelp}
      </span>
      {replay.error === null ? null : <Failure error={replay.error} />}
    </>
  )
}

function CheckButton({ reply, onCheck }: Pick<AttemptsProps, 'reply' | 'onCheck'>) {
  const hook = useWebhookWords()
  const { delivery, attempts, body, bodyIsCut } = reply
  const last = attempts.findLast(({ headers }) => headers !== null)?.headers
  if (last === undefined || last === null || bodyIsCut) return null
  const check = () =>
    onCheck({
      id: last['webhook-id'] ?? delivery.eventId,
      time: last['webhook-timestamp'] ?? '',
      header: last['webhook-signature'] ?? '',
      body,
    })
  return <Button onClick={check}>{hook.check}</Button>
}

/** Returns JSON with lines, as people read it; another text as it is. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
