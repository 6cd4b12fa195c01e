import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { FiguresReply } from '../../../schemas/generated.js'
import { gatewayUrl } from '../api/places.js'
import { Failure } from '../components/failure.js'
import { Card, Notice } from '../components/notice.js'
import { Line } from '../features/overview/line.js'
import { NodeHours } from '../features/overview/node-hours.js'
import { type Trouble, TroubledLinks } from '../features/overview/troubled-links.js'
import { useFigures } from '../hooks/use-fleet.js'
import { useFleetWords } from '../words/fleet/index.js'
import { useNumbers, useWords } from '../words/index.js'
import styles from './overview.module.css'

/** Receivers are reported when an event waits for longer. */
const WAITING_SECONDS = 60

/** First page of an administrator: what needs a hand, then the last hour. */
export function Overview() {
  const common = useWords()
  const words = useFleetWords()
  const { data, error, refetch } = useFigures()
  const grafanaUrl = data?.grafanaUrl ?? null
  return (
    <>
      <h1>{common.pages.overview}</h1>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <>
          <Needs figures={data} />
          <LastHour figures={data} />
          {data.nodes === undefined || data.nodes.length === 0 ? null : <NodeHours nodes={data.nodes} />}
        </>
      )}
      <Card>
        <h2>{words.more}</h2>
        {data?.retentionDays === undefined ? null : <p>{words.kept(data.retentionDays)}</p>}
        <ul className={styles.links}>
          <li>
            <a href={`${gatewayUrl}/docs`}>{common.apiPage}</a>: {words.docsHelp}
          </li>
          <li>
            <Link to="/instances/new">{common.instances.create}</Link>
          </li>
          {grafanaUrl === null ? null : (
            <li>
              <a href={grafanaUrl} target="_blank" rel="noopener noreferrer">
                Grafana
              </a>
              : {words.grafanaHelp}
            </li>
          )}
        </ul>
      </Card>
    </>
  )
}

function Needs({ figures: { instances, webhooks, minutes, troubled } }: { readonly figures: FiguresReply }) {
  const common = useWords()
  const words = useFleetWords()
  const titleId = useId()
  const all = instances.connected + instances.connecting + instances.disconnected
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0)
  const withPlaces = (trouble: Trouble, sentence: string) => (
    <div key={trouble}>
      {sentence}
      <TroubledLinks troubled={troubled} trouble={trouble} />
    </div>
  )
  const needs = [
    instances.missing === 0 ? null : (
      <Link key="missing" to="/instances" search={{ missing: true }}>
        {words.missing(instances.missing)}
      </Link>
    ),
    webhooks.oldestWaitingSeconds < WAITING_SECONDS
      ? null
      : withPlaces('waiting', words.waiting(webhooks.waiting, Math.round(webhooks.oldestWaitingSeconds / 60))),
    webhooks.deadLetters === 0 ? null : withPlaces('deadLetters', words.deadLetters(webhooks.deadLetters)),
    failed === 0 ? null : withPlaces('failedSends', words.failedSends(failed)),
  ].filter((need) => need !== null)
  if (all === 0)
    return (
      <Card labelledBy={titleId}>
        <h2 id={titleId}>{common.instances.none}</h2>
        <p>{common.instances.noneHelp}</p>
        <p>
          <Link to="/instances/new">{common.instances.create}</Link>
        </p>
      </Card>
    )
  return (
    <section aria-labelledby={titleId} className={styles.needs}>
      <h2 id={titleId}>{words.needs}</h2>
      {needs.length === 0 ? (
        <Notice>{words.noNeeds}</Notice>
      ) : (
        <Notice look="busy">
          <ul className={styles.links}>
            {needs.map((need) => (
              <li key={need.key}>{need}</li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  )
}

function LastHour({ figures: { instances, minutes, sends, webhooks } }: { readonly figures: FiguresReply }) {
  const common = useWords()
  const words = useFleetWords()
  const number = useNumbers()
  const titleId = useId()
  const lines = [
    { name: words.received, values: minutes.map(({ received }) => received) },
    { name: words.sent, values: minutes.map(({ sent }) => sent) },
    { name: words.failed, values: minutes.map(({ failed }) => failed) },
  ]
  const facts = [
    [common.status.connected, instances.connected],
    [common.status.connecting, instances.connecting],
    [common.status.disconnected, instances.disconnected],
    [words.sendsWaiting, sends.waiting],
    [words.sendsScheduled, sends.scheduled],
    [words.deliveriesWaiting, webhooks.waiting],
    [words.failedAttempts, webhooks.failedAttempts],
  ] as const
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.lastHour}</h2>
      <div className={styles.figures}>
        {lines.map(({ name, values }) => (
          <Line key={name} name={name} values={values} />
        ))}
      </div>
      <dl className={styles.figures}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
