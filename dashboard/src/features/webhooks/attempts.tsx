import type { DeliveryAttempt, DeliveryReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { visible } from '../../format/visible.js'
import { useLanguage } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import type { SignedDelivery } from './signature-help.js'

interface AttemptsProps {
  readonly reply: DeliveryReply
  readonly onCheck: (delivery: SignedDelivery) => void
}

/** Attempts of one delivery with their headers and answers, and the body as it is sent. */
export function Attempts({ reply: { delivery, attempts, body, bodyIsCut }, onCheck }: AttemptsProps) {
  const hook = useWebhookWords()
  const last = attempts.findLast(({ headers }) => headers !== null)?.headers
  return (
    <>
      <p className={layout.muted}>
        webhook-id <code>{delivery.eventId}</code>
      </p>
      <ol className={layout.items}>
        {attempts.map((one) => (
          <Attempt key={`${one.attempt} ${one.at}`} attempt={one} />
        ))}
      </ol>
      <details>
        <summary>{hook.body}</summary>
        {bodyIsCut ? <p>{hook.bodyCut}</p> : null}
        <pre className={layout.code}>{visible(body)}</pre>
      </details>
      {last === undefined || last === null || bodyIsCut ? null : (
        <div>
          <Button
            onClick={() =>
              onCheck({
                id: last['webhook-id'] ?? delivery.eventId,
                time: last['webhook-timestamp'] ?? '',
                header: last['webhook-signature'] ?? '',
                body,
              })
            }
          >
            {hook.check}
          </Button>
        </div>
      )}
    </>
  )
}

function Attempt({
  attempt: { attempt, at, url, status_code, error, durationMs, headers, answer },
}: {
  readonly attempt: DeliveryAttempt
}) {
  const hook = useWebhookWords()
  const language = useLanguage()
  return (
    <li>
      <div className={layout.row}>
        <strong>{hook.attempt(attempt)}</strong>
        <span className={`${layout.tag} ${error === null ? layout.good : layout.bad}`}>
          {status_code === 0 ? hook.noAnswer : status_code}
        </span>
        {durationMs === null ? null : <span>{hook.duration(durationMs)}</span>}
        <Moment at={at} language={language} />
      </div>
      {error === null ? null : (
        <p>
          <bdi>{visible(error)}</bdi>
        </p>
      )}
      <p className={layout.muted}>
        <bdi>{visible(url)}</bdi>
      </p>
      {answer === '' ? null : (
        <details>
          <summary>{hook.answer}</summary>
          <pre className={layout.code}>{visible(answer)}</pre>
        </details>
      )}
      {headers === null ? null : (
        <details>
          <summary>{hook.headers}</summary>
          <pre className={layout.code}>
            {visible(
              Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n'),
            )}
          </pre>
        </details>
      )}
    </li>
  )
}
