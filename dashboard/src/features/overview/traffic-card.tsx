import { useId, useState } from 'react'
import type { FiguresReply } from '../../../../schemas/generated.js'
import { TimeChart } from '../../components/charts/time-chart.js'
import { Choices } from '../../components/choices.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { formatDelay } from '../../format/duration.js'
import { useTraffic } from '../../hooks/use-fleet.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import { useOverviewWords } from '../../words/overview.js'
import styles from './overview.module.css'
import { type Course, makeCourse, makeDurations, makeLastHour, SPANS, type Span, sumValues } from './traffic.js'

const NOTHING: Course = { times: [], sent: [], received: [], failed: [] }

/** Messages and deliveries of the last hour, day or week. */
export function TrafficCard({ figures }: { readonly figures: FiguresReply }) {
  const words = useOverviewWords()
  const language = useLanguage()
  const number = useNumbers()
  const titleId = useId()
  const [span, setSpan] = useState<Span>('hour')
  const { data, error, refetch } = useTraffic(SPANS[span])
  const course = span === 'hour' ? makeLastHour(figures) : data === undefined ? NOTHING : makeCourse(data)
  const durations = data === undefined ? null : makeDurations(data)
  const lines = [
    { name: words.received, colour: 2, values: course.received },
    { name: words.sent, colour: 1, values: course.sent },
    { name: words.failed, colour: 3, values: course.failed },
  ]
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{words.traffic}</h2>
        <Choices
          label={words.span}
          options={(Object.keys(SPANS) as Span[]).map((one) => [one, words.spans[one]] as const)}
          chosen={span}
          onChoose={setSpan}
        />
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <dl className={styles.sums}>
        {lines.map(({ name, values }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(sumValues(values))}</dd>
          </div>
        ))}
      </dl>
      <TimeChart title={words.messages} times={course.times} series={lines} text={number} isWhole />
      <h3>{words.deliveries}</h3>
      {durations?.half.some((value) => value !== null) !== true ? (
        <p className={layout.muted}>{words.noDeliveries}</p>
      ) : (
        <TimeChart
          title={words.deliveries}
          times={durations.times}
          series={[
            { name: words.half, colour: 1, values: durations.half },
            { name: words.nearlyAll, colour: 4, values: durations.nearlyAll },
          ]}
          text={(seconds) => formatDelay(seconds, language)}
          look="line"
        />
      )}
    </Card>
  )
}
