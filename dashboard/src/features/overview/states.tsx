import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { FiguresReply } from '../../../../schemas/generated.js'
import { Bars } from '../../components/charts/bars.js'
import { TimeChart } from '../../components/charts/time-chart.js'
import { Choices } from '../../components/choices.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { useTraffic } from '../../hooks/use-fleet.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import { useOverviewWords } from '../../words/overview.js'
import styles from './overview.module.css'
import { makeStates, SPANS } from './traffic.js'

const COLOURS = { connected: 1, connecting: 4, disconnected: 3 } as const

/** Accounts by state, and what waits to be sent and delivered. */
export function States({ figures: { instances, sends, webhooks } }: { readonly figures: FiguresReply }) {
  const common = useWords()
  const fleet = useFleetWords()
  const words = useOverviewWords()
  const number = useNumbers()
  const [statesId, waitingId] = [useId(), useId()]
  const facts = [
    [fleet.sendsWaiting, sends.waiting],
    [fleet.sendsScheduled, sends.scheduled],
    [fleet.deliveriesWaiting, webhooks.waiting],
    [fleet.failedAttempts, webhooks.failedAttempts],
  ] as const
  return (
    <div className={styles.pair}>
      <Card labelledBy={statesId}>
        <h2 id={statesId}>{words.states}</h2>
        <Bars
          labelledBy={statesId}
          bars={(['connected', 'connecting', 'disconnected'] as const).map((status) => ({
            key: status,
            name: (
              <Link to="/instances" search={{ status }}>
                {common.status[status]}
              </Link>
            ),
            value: instances[status],
            text: number(instances[status]),
            colour: COLOURS[status],
          }))}
        />
        <StatesOverTime />
      </Card>
      <Card labelledBy={waitingId}>
        <h2 id={waitingId}>{words.waitingTitle}</h2>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{number(value)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}

/** How many accounts had which state in the last day or week. */
function StatesOverTime() {
  const common = useWords()
  const words = useOverviewWords()
  const number = useNumbers()
  const titleId = useId()
  const [span, setSpan] = useState<'day' | 'week'>('day')
  // An error stands in the card of the traffic, which comes from the same call.
  const { data } = useTraffic(SPANS[span])
  const course = data === undefined ? undefined : makeStates(data)
  return (
    <>
      <div className={layout.head}>
        <h3 id={titleId}>{words.statesOverTime}</h3>
        <Choices
          label={words.statesSpan}
          options={(['day', 'week'] as const).map((one) => [one, words.spans[one]] as const)}
          chosen={span}
          onChoose={setSpan}
        />
      </div>
      {course === undefined ? null : course.connected.every((value) => value === null) ? (
        <p className={layout.muted}>{words.noStates}</p>
      ) : (
        <TimeChart
          title={words.statesOverTime}
          times={course.times}
          series={(['connected', 'connecting', 'disconnected'] as const).map((status) => ({
            name: common.status[status],
            colour: COLOURS[status],
            values: course[status],
          }))}
          text={number}
          look="line"
          isWhole
        />
      )}
    </>
  )
}
