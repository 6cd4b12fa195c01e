import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { FiguresReply } from '../../../../schemas/generated.js'
import { Bars } from '../../components/charts/bars.js'
import { Card } from '../../components/notice.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import { useOverviewWords } from '../../words/overview.js'
import styles from './overview.module.css'

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
