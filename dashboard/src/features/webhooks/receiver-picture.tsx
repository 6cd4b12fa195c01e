import { useState } from 'react'
import type { Delivery, ReceiverFigures } from '../../../../schemas/generated.js'
import { Strip } from '../../components/charts/strip.js'
import { TimeChart } from '../../components/charts/time-chart.js'
import { Choices } from '../../components/choices.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { formatDelay } from '../../format/duration.js'
import { formatExactTime } from '../../format/time.js'
import { useReceiverFigures, type WebhookOwner } from '../../hooks/use-webhooks.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import { useWebhookWords } from '../../words/webhooks/index.js'
import { useReceiverWords } from '../../words/webhooks/receivers.js'

interface ReceiverPictureProps {
  /** The newest first. */
  readonly deliveries: readonly Delivery[]
}

const LOOKS = { delivered: 'good', waiting: 'open', failed: 'bad', dead: 'bad' } as const

/** The newest deliveries to a receiver: which of them it took, and how long it needed. */
export function ReceiverPicture({ deliveries }: ReceiverPictureProps) {
  const hook = useWebhookWords()
  const words = useReceiverWords()
  const language = useLanguage()
  const number = useNumbers()
  const durations = deliveries
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((one, other) => one - other)
  const taken = deliveries.filter(({ state }) => state === 'delivered').length
  const ended = deliveries.filter(({ state }) => state !== 'waiting').length
  const shown = (ms: number | undefined) => formatDelay((ms ?? 0) / 1_000, language)
  const [half, slowest] = [shown(durations[Math.floor((durations.length - 1) / 2)]), shown(durations.at(-1))]
  if (deliveries.length === 0) return null
  return (
    <div className={layout.form}>
      <p className={layout.row}>
        <span>{hook.answered(taken, ended)}</span>
        {durations.length === 0 ? null : <span className={layout.muted}>{words.durations(half, slowest)}</span>}
      </p>
      <Strip
        label={words.strip(number(deliveries.length))}
        bars={deliveries.toReversed().map(({ id, created, event, state, durationMs }) => ({
          key: id,
          value: durationMs ?? 0,
          look: LOOKS[state],
          title: [
            formatExactTime(new Date(created), language),
            event,
            hook.states[state],
            ...(durationMs === null ? [] : [shown(durationMs)]),
          ].join(', '),
        }))}
      />
    </div>
  )
}

const HOUR_MS = 3_600_000
const SPANS = { day: 24, week: 168 } as const

interface ReceiverCourseProps {
  readonly owner: WebhookOwner
  readonly webhookId: string
}

/** Draws the deliveries to a receiver in the last day or week, hour by hour, and their duration. Loads when it is opened. */
export function ReceiverCourse(props: ReceiverCourseProps) {
  const words = useReceiverWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.course}</summary>
      {isOpen ? <Course {...props} /> : null}
    </details>
  )
}

function Course({ owner, webhookId }: ReceiverCourseProps) {
  const words = useReceiverWords()
  const language = useLanguage()
  const number = useNumbers()
  const [span, setSpan] = useState<keyof typeof SPANS>('day')
  const { data, error, refetch } = useReceiverFigures(owner, SPANS[span])
  const rows = data?.webhooks.find(({ webhook_id }) => webhook_id === webhookId)?.rows ?? []
  const { times, at } = listHours(data?.at, SPANS[span], rows)
  const count = (name: 'delivered' | 'failed') => times.map((time) => at(time)?.[name] ?? 0)
  const sum = (name: 'delivered' | 'failed') => number(count(name).reduce((all, one) => all + one, 0))
  return (
    <div className={layout.form}>
      <Choices
        label={words.span}
        options={(['day', 'week'] as const).map((one) => [one, words.spans[one]] as const)}
        chosen={span}
        onChoose={setSpan}
      />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : rows.length === 0 ? (
        <p className={layout.muted}>{words.noCourse}</p>
      ) : (
        <>
          <p>{words.sums(sum('delivered'), sum('failed'))}</p>
          <TimeChart
            title={words.events}
            times={times}
            series={[
              { name: words.taken, colour: 1, values: count('delivered') },
              { name: words.failedAttempts, colour: 3, values: count('failed') },
            ]}
            text={number}
            isWhole
          />
          <TimeChart
            title={words.latency}
            times={times}
            series={[
              { name: words.average, colour: 1, values: times.map((time) => at(time)?.averageSeconds ?? null) },
              { name: words.slowest, colour: 4, values: times.map((time) => at(time)?.slowestSeconds ?? null) },
            ]}
            text={(seconds) => formatDelay(seconds, language)}
            look="line"
          />
        </>
      )}
    </div>
  )
}

/** Returns the hours of a span, the present one too, and a look-up of their rows. */
function listHours(now: string | undefined, count: number, rows: ReceiverFigures['rows']) {
  const last = Math.floor(Date.parse(now ?? new Date(0).toISOString()) / HOUR_MS) * HOUR_MS
  const known = new Map(rows.map((row) => [Date.parse(row.at), row]))
  const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * HOUR_MS)
  return { times, at: (time: number) => known.get(time) }
}
